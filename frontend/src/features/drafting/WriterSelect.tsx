import { MultiSelect } from "@mantine/core";
import { useWritingModels } from "@/components/models/useModelChoices";
import { t } from "@/words";

/** Most models that one drafting may name. */
const MOST = 8;

interface Props {
  values: string[];
  onChange: (values: string[]) => void;
}

/** The choice of the models that write; each of them reads the same texts. */
export function WriterSelect({ values, onChange }: Props) {
  const writers = useWritingModels(values);
  return (
    <MultiSelect
      label={t("Models that write")}
      description={
        writers.length === 0
          ? t("No model is available. Connect a model server under Settings.")
          : t("Each model reads the same texts. Small models write few usable questions.")
      }
      data={writers}
      value={values}
      onChange={onChange}
      maxValues={MOST}
      searchable
    />
  );
}
