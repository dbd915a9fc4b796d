import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { judgingQueries } from "@/api/judging";
import { retrievalQueries } from "@/api/retrieval";
import { t } from "@/words";

/** Saved grades among the choices, apart from assessments. */
const SAVED = "qrels:";

/** The option that names the chosen grades: saved ones, or those of an assessment. */
export function gradesOf(chosen: string) {
  return chosen.startsWith(SAVED) ? { qrels: chosen.slice(SAVED.length) } : { relevance: chosen };
}

interface GradesProps {
  sweep: string;
  value: string | null;
  onChange: (assessment: string | null) => void;
}

/** The assessments of a sweep that graded passages, and saved relevance grades. */
export function GradesSelect({ sweep, value, onChange }: GradesProps) {
  const { data } = useQuery(judgingQueries.list(sweep));
  const rankings = useQuery(retrievalQueries.rankings()).data?.items ?? [];
  const saved = rankings.filter(({ kind }) => kind === "qrels");
  const graded = (data?.items ?? []).filter(({ assessment: { spec } }) =>
    spec.columns.some((column) => column.startsWith("Passage relevance")),
  );
  return (
    <Select
      label={t("Grades from")}
      description={
        data && graded.length === 0 && saved.length === 0
          ? t("First judge this sweep with the metric Passage relevance, or import relevance grades.")
          : t("Passages without a grade are left out.")
      }
      data={[
        ...graded.map(({ assessment: { id, spec } }) => ({
          value: id,
          label: `${spec.judge.model.name}, ${id}`,
        })),
        ...saved.map(({ name }) => ({ value: `${SAVED}${name}`, label: name })),
      ]}
      value={value}
      onChange={onChange}
    />
  );
}
