import { Button, Group, NumberInput, Select, SimpleGrid, Stack, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useSessionStorage } from "@mantine/hooks";
import type { FormEvent } from "react";
import { api } from "@/api/client";
import type { Sending, SingleQuestion } from "@/api/types";
import { Panel } from "@/components/Panel";
import { words } from "@/words";
import { BUILT_IN, type ChatForm, DEFAULTS, questionOf } from "./form";

const label = words.chat;
const MODES = ["score", "normal", "none"] as const;

interface Props {
  collections: string[];
  /** The server's messages by field. */
  fields: Partial<Record<keyof ChatForm, string>>;
  isBusy: boolean;
  onAsk: (question: Sending<SingleQuestion>) => void;
  onStop: () => void;
}

/** What to ask, of what, and how; what is typed stays while the tab is open. */
export function Form({ collections, fields, isBusy, onAsk, onStop }: Props) {
  const [kept, keep] = useSessionStorage<ChatForm>({
    key: "passer.chat",
    defaultValue: DEFAULTS,
    getInitialValueInEffect: false,
  });
  const known = collections.includes(kept.collection) ? kept.collection : (collections[0] ?? "");
  const form = useForm<ChatForm>({
    initialValues: { ...DEFAULTS, ...kept, collection: known },
    onValuesChange: keep,
  });
  const { mode } = form.values;
  const field = (name: keyof ChatForm) => ({ ...form.getInputProps(name), error: fields[name] });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onAsk(questionOf(form.values));
  };
  return (
    <Panel title={label.form}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Textarea
            aria-label={label.question}
            placeholder={label.questionPlaceholder}
            autosize
            minRows={2}
            {...field("question")}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
            }}
          />
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="md">
            <Select
              label={label.collection}
              data={collections}
              allowDeselect={false}
              {...field("collection")}
            />
            <ModelSelect field={field("model")} />
            <Select
              label={label.mode}
              data={MODES.map((value) => ({ value, label: label.modes[value] }))}
              allowDeselect={false}
              {...field("mode")}
            />
            {mode === "score" && (
              <>
                <NumberInput label={label.threshold} step={0.05} decimalScale={4} {...field("threshold")} />
                <NumberInput label={label.maxK} allowDecimal={false} {...field("maxK")} />
              </>
            )}
            {mode === "normal" && <NumberInput label={label.k} allowDecimal={false} {...field("k")} />}
            <NumberInput label={label.temperature} step={0.1} {...field("temperature")} />
            <PromptSelect field={field("prompt")} />
          </SimpleGrid>
          <Textarea
            label={label.reference}
            description={label.referenceHint}
            autosize
            minRows={1}
            {...field("reference")}
          />
          <Group>
            <Button type="submit" loading={isBusy} disabled={form.values.question.trim() === ""}>
              {label.ask}
            </Button>
            {isBusy && (
              <Button variant="default" onClick={onStop}>
                {label.stop}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}

function ModelSelect({ field }: { field: object }) {
  const served = api.useQuery(
    "get",
    "/api/v1/models",
    { params: { query: { provider: "ollama" } } },
    { retry: false },
  );
  const data = [
    { value: BUILT_IN, label: label.builtIn },
    ...(served.data?.items ?? []).map(({ name }) => ({ value: `ollama/${name}`, label: name })),
  ];
  return <Select label={label.model} data={data} allowDeselect={false} {...field} />;
}

function PromptSelect({ field }: { field: object }) {
  const prompts = api.useQuery("get", "/api/v1/prompts");
  return (
    <Select label={label.prompt} data={prompts.data?.items ?? ["default"]} allowDeselect={false} {...field} />
  );
}
