import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { datasetQueries } from "@/api/materials";
import { t } from "@/words";

/** Which questions of a dataset are compared on; all, where nothing is chosen. */
export interface Part {
  group?: string | undefined;
  category?: string | undefined;
}

interface Props {
  dataset: string | null | undefined;
  part: Part;
  onChange: (part: Part) => void;
}

/** Group and category of the questions, where the dataset has any. */
export function PartFields({ dataset, part, onChange }: Props) {
  const detail = useQuery({ ...datasetQueries.detail(dataset ?? ""), enabled: dataset != null });
  const questions = detail.data?.questions ?? [];
  const groups = namesOf(questions.map(({ group }) => group));
  // Only categories that the chosen group has: another one would select no question.
  const inGroup = questions.filter(({ group }) => part.group === undefined || group === part.group);
  const categories = namesOf(inGroup.map(({ category }) => category));
  return (
    <>
      {groups.length > 0 && (
        <Select
          label={t("Group")}
          placeholder={t("All groups")}
          data={groups}
          value={part.group ?? null}
          onChange={(group) => onChange(group === null ? {} : { group })}
          clearable
        />
      )}
      {categories.length > 0 && (
        <Select
          label={t("Category")}
          placeholder={t("All categories")}
          data={categories}
          value={part.category ?? null}
          onChange={(category) => onChange({ ...part, category: category ?? undefined })}
          clearable
        />
      )}
    </>
  );
}

/** Distinct names in order. */
function namesOf(names: readonly (string | null | undefined)[]): string[] {
  return [...new Set(names.filter((name) => name != null))].sort();
}
