import { MultiSelect, type MultiSelectProps, Select } from "@mantine/core";
import { useState } from "react";
import { useModelChoices } from "@/components/models/useModelChoices";
import { BUILT_IN } from "@/components/models/value";
import { t } from "@/words";
import { retrieverChoices, writersOf } from "./retrievers";

/** Retrievers to compare; with a model that writes variations, RAG-Fusion is among them. */
export function RetrieverField({ value = [], ...field }: MultiSelectProps & { value?: string[] }) {
  const [chosen, choose] = useState<string | null>(null);
  const writers = writersOf(value);
  const writer = chosen ?? writers[0] ?? null;
  const { groups } = useModelChoices(writers);
  const models = groups
    .map(({ group, items }) => ({ group, items: items.filter((item) => item.value !== BUILT_IN) }))
    .filter(({ items }) => items.length > 0);
  return (
    <>
      <MultiSelect {...field} label={t("Retrievers")} data={retrieverChoices(value, writer)} value={value} />
      {models.length > 0 && (
        <Select
          label={t("Model for RAG-Fusion")}
          description={t(
            "Writes other wordings of each question. RAG-Fusion then appears among the retrievers.",
          )}
          placeholder={t("None")}
          data={models}
          value={writer}
          onChange={choose}
          searchable
          clearable
        />
      )}
    </>
  );
}
