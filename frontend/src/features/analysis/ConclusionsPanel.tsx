import { SimpleGrid, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { importQueries } from "@/api/imports";
import type { DefectEffects } from "@/api/types";
import { formatDifference, formatScore } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { Sentences } from "@/components/Sentences";
import { ServerText } from "@/components/ServerText";
import { type Column, DataTable, plainColumn } from "@/components/table";
import { t } from "@/words";
import { levelName } from "./sheetColumns";

type Figure = DefectEffects["figures"][number];

const DEFECTS: Record<NonNullable<Figure["decisive"]>, string> = {
  labels: t("shifted labels"),
  doubled_rows: t("doubled rows"),
  pairing: t("pairing by position"),
  missing_scores: t("missing scores"),
  missing_questions: t("missing questions"),
  uncorrected_tests: t("unadjusted tests"),
};

/** What the defects of the sheets do to the result, before any table. */
export function ConclusionsPanel({ id }: { id: string }) {
  const effects = useQuery(importQueries.defectEffects(id));
  return (
    <Panel title={t("Conclusions as published and corrected")}>
      <QueryState query={effects} height={80} />
      {effects.data && <Effects effects={effects.data} />}
    </Panel>
  );
}

function Effects({
  effects: { models, conclusions, figures, direction, reason },
}: {
  effects: DefectEffects;
}) {
  if (reason != null) {
    return (
      <Text>
        <ServerText text={reason} />
      </Text>
    );
  }
  const changed = conclusions.filter(({ is_changed }) => is_changed).map(({ text }) => text);
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TitledSentences title={t("As published")} texts={models.map(({ published }) => published)} />
        <TitledSentences title={t("Corrected")} texts={models.map(({ corrected }) => corrected)} />
      </SimpleGrid>
      <TitledSentences
        title={t("Conclusions that changed")}
        texts={changed.length > 0 ? changed : [t("No conclusion changed.")]}
      />
      {direction != null && (
        <Text>
          <ServerText text={direction} />
        </Text>
      )}
      <DataTable
        name="defect-effects"
        label={t("Best configurations as published and corrected")}
        columns={COLUMNS}
        rows={figures.filter(({ is_headline }) => is_headline)}
        keyOf={(row) => `${row.model} ${levelName(row)} ${row.figure}`}
        isShort
      />
    </Stack>
  );
}

function TitledSentences({ title, texts }: { title: string; texts: string[] }) {
  return (
    <div>
      <Text size="sm" fw={550}>
        {title}
      </Text>
      <Sentences texts={texts} />
    </div>
  );
}

const COLUMNS: Column<Figure>[] = [
  plainColumn("model", t("Model"), ({ model }) => model),
  plainColumn("configuration", t("Configuration"), levelName),
  plainColumn("figure", t("Metric"), ({ label }) => label),
  plainColumn("published", t("As published"), ({ published }) => published, {
    kind: "number",
    format: shown,
  }),
  plainColumn("corrected", t("Corrected"), ({ corrected }) => corrected, { kind: "number", format: shown }),
  {
    id: "difference",
    label: t("Difference"),
    value: ({ published, corrected }) =>
      published == null || corrected == null ? null : corrected - published,
    kind: "number",
    format: (value) => formatDifference(value, 3),
  },
  plainColumn("cause", t("Main cause"), ({ decisive }) => (decisive == null ? null : DEFECTS[decisive])),
];

function shown(value: number): string {
  return formatScore(value, 3);
}
