import { Button, Group, NumberInput, Select, SimpleGrid, Stack, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useSessionStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { systemQueries } from "@/api/system";
import type { Sending, SingleQuestion } from "@/api/types";
import { Form } from "@/components/Form";
import { useModelChoices } from "@/components/models/useModelChoices";
import { Panel } from "@/components/Panel";
import { t } from "@/words";
import { type ChatForm, DEFAULTS, questionOf } from "./form";

const NAMES = {
  score: t("Score mode (similarity threshold)"),
  normal: t("Normal mode (top-k)"),
  none: t("No retrieval"),
};
const MODES = ["score", "normal", "none"] as const;

interface Props {
  collections: string[];
  /** The server's messages by field. */
  fields: Partial<Record<keyof ChatForm, string>>;
  isBusy: boolean;
  onAsk: (question: Sending<SingleQuestion>) => void;
}

/** What to ask, of what, and how; what is typed stays while the tab is open. */
export function QuestionForm({ collections, fields, isBusy, onAsk }: Props) {
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
  const submit = () => {
    onAsk(questionOf(form.values));
  };
  return (
    <Panel title={t("Question form")}>
      <Form onSubmit={submit}>
        <Stack gap="md">
          <Textarea
            aria-label={t("Question")}
            placeholder={t("Type a question. Enter sends it, Shift+Enter begins a new line.")}
            autosize
            minRows={2}
            {...field("question")}
            onKeyDown={(event) => {
              // While a word is composed (Chinese, Japanese, Korean), Enter ends the word.
              if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
              event.preventDefault();
              if (!isBusy && form.values.question.trim() !== "") onAsk(questionOf(form.values));
            }}
          />
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="md">
            <Select
              label={t("Collection")}
              data={collections}
              allowDeselect={false}
              {...field("collection")}
            />
            <ModelSelect value={form.values.model} field={field("model")} />
            <Select
              label={t("Passages")}
              data={MODES.map((value) => ({ value, label: NAMES[value] }))}
              allowDeselect={false}
              {...field("mode")}
            />
            {mode === "score" && (
              <>
                <NumberInput
                  label={t("Similarity threshold")}
                  step={0.05}
                  decimalScale={4}
                  {...field("threshold")}
                />
                <NumberInput label={t("Maximum passages (maxK)")} allowDecimal={false} {...field("maxK")} />
              </>
            )}
            {mode === "normal" && <NumberInput label={t("k")} allowDecimal={false} {...field("k")} />}
            <NumberInput label={t("Temperature")} step={0.1} {...field("temperature")} />
            <PromptSelect field={field("prompt")} />
          </SimpleGrid>
          <Textarea
            label={t("Reference answer")}
            description={t("Optional. If given, the answer is scored.")}
            autosize
            minRows={1}
            {...field("reference")}
          />
          <Group>
            <Button type="submit" loading={isBusy} disabled={form.values.question.trim() === ""}>
              {t("Ask")}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Panel>
  );
}

function ModelSelect({ value, field }: { value: string; field: object }) {
  const { groups } = useModelChoices([value]);
  return <Select label={t("Model")} data={groups} allowDeselect={false} searchable {...field} />;
}

function PromptSelect({ field }: { field: object }) {
  const prompts = useQuery(systemQueries.prompts());
  return (
    <Select label={t("Prompt")} data={prompts.data?.items ?? ["default"]} allowDeselect={false} {...field} />
  );
}
