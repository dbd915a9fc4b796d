import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { systemQueries } from "@/api/system";
import { bindChoice } from "@/components/fields";
import { t } from "@/words";

export const BUILT_IN_EMBEDDING = "embedded/all-MiniLM-L6-v2";

interface Props {
  value: string;
  onChange: (value: string) => void;
  description: string;
  error?: string | undefined;
}

/** The embedding model of a collection: the built-in one, one of the model server, or the one that it has. */
export function EmbeddingSelect({ value, onChange, description, error }: Props) {
  const served = useQuery(systemQueries.models());
  // Collections are embedded by the Ollama of the settings.
  const ollama = served.data?.items.find(({ setting }) => setting === "PASSER_OLLAMA_URL")?.models ?? [];
  const data = [
    { value: BUILT_IN_EMBEDDING, label: t("Built in (all-MiniLM-L6-v2)") },
    ...ollama.map(({ name }) => ({ value: `ollama/${name}`, label: name })),
  ];
  // A collection may have a model of a server that is not there now.
  if (!data.some((each) => each.value === value)) data.push({ value, label: value });
  return (
    <Select
      label={t("Embedding model")}
      description={description}
      data={data}
      {...bindChoice(value, onChange)}
      error={error}
    />
  );
}
