import { Button, Group, SegmentedControl, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useSaveQrels } from "@/api/judging";
import { AnchorLink } from "@/components/links";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Subsection } from "@/components/Subsection";
import { t } from "@/words";

/** Columns whose grades of passages measure retrievers. */
export const OF_PASSAGES = [
  "Passage relevance",
  "Passage relevance (UMBRELA)",
  "Passage relevance (RDNAM)",
  "Passage relevance (RDNAM, five raters)",
  "Passage relevance (expert)",
];

interface Props {
  id: string;
  column: string;
  /** What the address of the Retrieval page keeps, besides the grades. */
  before?: object;
  children: ReactNode;
}

/** Grades of passages, by the judge or by people, saved as relevance grades of the Retrieval page. */
export function RelevanceGrades({ id, column, before = {}, children }: Props) {
  const [by, setBy] = useState<"judge" | "people">("judge");
  const saving = useSaveQrels();
  const save = () => saving.mutate({ params: { path: { assessment_id: id } }, body: { by, column } });
  const title = t("Relevance grades: {column}", { column });
  return (
    <Subsection title={title}>
      <Text size="sm">{children}</Text>
      <Group gap="sm">
        <SegmentedControl
          aria-label={t("Graded by")}
          value={by}
          onChange={(value) => setBy(value as "judge" | "people")}
          data={[
            { value: "judge", label: t("Judge") },
            { value: "people", label: t("People") },
          ]}
        />
        <Button variant="default" loading={saving.isPending} onClick={save}>
          {t("Save grades")}
        </Button>
        {saving.data && (
          <AnchorLink to="/retrieval" search={{ ...before, qrels: saving.data.name }}>
            {t("Compare retrievers by {name}", { name: saving.data.name })}
          </AnchorLink>
        )}
      </Group>
      <ProblemNotice error={saving.error} />
    </Subsection>
  );
}
