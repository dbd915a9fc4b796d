import { Select } from "@mantine/core";
import type { ReactNode } from "react";
import { useModelChoices } from "@/components/models/useModelChoices";
import { BUILT_IN } from "@/components/models/value";
import { t } from "@/words";

interface Props {
  value: string | null;
  onChange: (judge: string | null) => void;
  /** What the model is for, where it does not judge answers. */
  label?: string;
  description?: string;
  /** What is wrong with the choice. */
  error?: ReactNode;
}

/** The choice of a model that judges; the extractive reader copies sentences and cannot judge. */
export function JudgeSelect({ value, onChange, label, description, error }: Props) {
  const { groups } = useModelChoices(value ? [value] : []);
  const judges = groups
    .map(({ group, items }) => ({ group, items: items.filter((item) => item.value !== BUILT_IN) }))
    .filter(({ items }) => items.length > 0);
  return (
    <Select
      label={label ?? t("Judge")}
      description={
        judges.length === 0
          ? t("No model is available. Connect a model server under Settings.")
          : (description ?? t("Choose a model from a different family than the models that answered."))
      }
      data={judges}
      value={value}
      onChange={onChange}
      searchable
      {...(error ? { error } : {})}
    />
  );
}
