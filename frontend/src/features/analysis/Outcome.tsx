import { Button, Group, SimpleGrid, Text, Title } from "@mantine/core";
import type { Figure, NamedTable } from "@/api/types";
import { Outdated } from "@/components/Outdated";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import type { QuestionSource } from "@/components/results/questionSources";
import { ResultTables } from "@/components/results/ResultTables";
import { SaveLinks } from "@/components/SaveLinks";
import { FigureList } from "@/figures/FigureList";
import { t } from "@/words";

interface Answer<T> {
  data: { items: T[] } | undefined;
  isPending: boolean;
  isPlaceholderData: boolean;
  isError: boolean;
  error: unknown;
  refetch: () => unknown;
}

interface Props {
  figures: Answer<Figure>;
  tables: Answer<NamedTable>;
  /** What every CPS in them is relative to. */
  basis: string;
  report: string;
  fileOf: (table: string, format: string) => string;
  shown: string | undefined;
  onShow: (name: string) => void;
  /** Its configurations, with the way to their questions. */
  sources: readonly QuestionSource[];
}

/** Report, figures and tables of one analysis; each comes when it is ready. */
export function Outcome({ figures, tables, basis, report, fileOf, shown, onShow, sources }: Props) {
  return (
    <Outdated isOld={figures.isPlaceholderData || tables.isPlaceholderData}>
      <Panel title={t("Report")}>
        <Text maw="48rem">{t("A self-contained HTML page with all figures, tables and settings.")}</Text>
        <Group gap="xs">
          <Button component="a" href={report} download>
            {t("Save report")}
          </Button>
        </Group>
      </Panel>
      <Title order={2}>{t("Figures")}</Title>
      <QueryState query={figures} height={360} />
      <SimpleGrid cols={{ base: 1, xl: 2 }} spacing="lg">
        {figures.data && <FigureList figures={figures.data.items} sources={sources} />}
      </SimpleGrid>
      {figures.data?.items.length === 0 && <Text c="var(--quiet)">{t("No figures yet.")}</Text>}
      <QueryState query={tables} height={240} />
      {tables.data && (
        <ResultTables
          tables={tables.data.items}
          basis={basis}
          save={(name, title) => <SaveLinks title={title} fileOf={(format) => fileOf(name, format)} />}
          shown={shown}
          onShow={onShow}
          sources={sources}
        />
      )}
    </Outdated>
  );
}
