import { MultiSelect, Text } from "@mantine/core";
import { api } from "@/api/client";
import { Problem } from "@/api/problem";
import { Panel } from "@/components/Panel";
import { Said } from "@/components/Said";
import { words } from "@/words";
import { DEFAULTS } from "./form";
import type { SweepFormState } from "./useSweepForm";

/** Which models answer: the built-in reader, and what the model server has. */
export function Answerer({ form }: { form: SweepFormState }) {
  const served = api.useQuery(
    "get",
    "/api/v1/models",
    { params: { query: { provider: "ollama" } } },
    { retry: false },
  );
  const [builtIn = ""] = DEFAULTS.models;
  const options = new Map([[builtIn, words.newSweep.extractive]]);
  for (const { name, parameter_size, quantization } of served.data?.items ?? []) {
    const about = [parameter_size, quantization].filter(Boolean).join(", ");
    options.set(`ollama/${name}`, about ? `${name} (${about})` : name);
  }
  for (const value of form.values.models) if (!options.has(value)) options.set(value, value);

  return (
    <Panel title={words.newSweep.answerer}>
      <MultiSelect
        label={words.newSweep.models}
        description={form.values.models.length > 1 ? words.newSweep.modelsHint : undefined}
        data={[...options].map(([value, label]) => ({ value, label }))}
        {...form.field("models")}
      />
      <Text size="sm" c="var(--quiet)">
        {form.values.models.includes(builtIn) && words.newSweep.extractiveHint}{" "}
        {served.error instanceof Problem && (
          <>
            <Said text={served.error.message} wordings={served.error.wordings} /> {words.newSweep.ollamaAway}
          </>
        )}
      </Text>
    </Panel>
  );
}
