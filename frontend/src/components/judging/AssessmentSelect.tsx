import { Select } from "@mantine/core";
import type { ListedAssessment } from "@/api/types";
import { bindChoice } from "@/components/fields";
import { formatAgo } from "@/components/Moment";
import { t } from "@/words";

interface Props {
  items: readonly ListedAssessment[];
  shown: ListedAssessment | undefined;
  onChange: (id: string) => void;
}

/** Which of several assessments is shown; nothing where there is no choice. */
export function AssessmentSelect({ items, shown, onChange }: Props) {
  if (items.length < 2 || !shown) return null;
  return (
    <Select
      label={t("Assessment")}
      data={items.map(choiceOf)}
      {...bindChoice(shown.assessment.id, onChange)}
      maw={420}
    />
  );
}

function choiceOf({ assessment: { id, spec, created_at } }: ListedAssessment) {
  return { value: id, label: `${spec.judge.model.name}, ${formatAgo(created_at)}` };
}
