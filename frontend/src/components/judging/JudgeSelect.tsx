import { Select } from "@mantine/core";
import type { ReactNode } from "react";
import { useWritingModels } from "@/components/models/useModelChoices";
import { t } from "@/words";

interface Props {
  value: string | null;
  onChange: (judge: string | null) => void;
  /** What the model is for, where it does not judge answers. */
  description?: string;
  /** What is wrong with the choice. */
  error?: ReactNode;
}

/** The choice of a model that judges; the extractive reader copies sentences and cannot judge. */
export function JudgeSelect({ value, onChange, description, error }: Props) {
  const judges = useWritingModels(value ? [value] : []);
  return (
    <Select
      label={t("Judge")}
      description={
        judges.length === 0
          ? t("No model is available. Connect a model server under Settings.")
          : (description ?? t("Choose a model from a different family than the models that answered."))
      }
      placeholder={t("Choose a judge")}
      data={judges}
      value={value}
      onChange={onChange}
      searchable
      {...(error ? { error } : {})}
    />
  );
}
