import {
  Button,
  Checkbox,
  MultiSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TextInput,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { systemQueries } from "@/api/system";
import { BudgetField } from "@/components/BudgetField";
import { formatList, formatPlain } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import { decimals } from "./form";
import type { SweepFormState } from "./useSweepForm";

const NO_PASSAGES_OPTIONS = {
  abstain: t("Return a fixed answer without calling the model"),
  ask: t("Call the model without passages"),
};
const PASSAGE_ORDERS = { rank: t("Best first"), document: t("Document order") };
const ANSWERS = { fast: t("Fast"), repeatable: t("Repeatable") };
const PROFILES = { standard: t("Standard"), published: t("Published") };

/** What rarely changes, folded away; what is set is named while it is. */
export function Options({ form }: { form: SweepFormState }) {
  const [open, setOpen] = useState(false);
  const { prompts, temperatures, seed, timed, budget } = form.values;
  return (
    <Panel
      title={t("Options")}
      beside={
        <Button variant="subtle" size="compact-sm" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t("Hide options") : t("Show options")}
        </Button>
      }
    >
      {open ? (
        <Fields form={form} />
      ) : (
        <Quiet>
          {t("Prompt {prompts}, temperature {temperatures}, seed {seed}", {
            prompts: prompts.join(", "),
            temperatures: formatList(decimals(temperatures).map(formatPlain)),
            seed: String(seed),
          })}
          {timed && `, ${t("timing run")}`}
          {budget !== "" && `, ${t("budget {budget}", { budget })}`}
        </Quiet>
      )}
    </Panel>
  );
}

function Fields({ form }: { form: SweepFormState }) {
  const prompts = useQuery(systemQueries.prompts());
  const names = new Set([...form.values.prompts, ...(prompts.data?.items ?? [])]);
  const choices = (of: Record<string, string>) => ({
    data: Object.entries(of).map(([value, label]) => ({ value, label })),
    allowDeselect: false,
  });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      <TextInput label={t("Name")} placeholder={t("Generated from the settings")} {...form.field("name")} />
      <MultiSelect
        label={t("Prompts")}
        description={t("Templates for passages and question. Several are compared.")}
        data={[...names]}
        {...form.field("prompts")}
      />
      <TextInput
        label={t("Temperatures")}
        description={t("One or more values, separated by commas. Several are compared.")}
        {...form.field("temperatures")}
      />
      <NumberInput label={t("Seed")} {...form.whole("seed")} />
      <NumberInput
        label={t("Context window")}
        description={t("Tokens (num_ctx).")}
        step={1024}
        {...form.whole("numCtx")}
      />
      <NumberInput
        label={t("Answer length limit")}
        description={t("Tokens (num_predict).")}
        step={64}
        {...form.whole("numPredict")}
      />
      <NumberInput label={t("top_p")} step={0.05} {...form.field("topP")} />
      <NumberInput label={t("top_k")} {...form.whole("topK")} />
      <NumberInput
        label={t("Repeat penalty")}
        description={t("Makes recent tokens less likely. 1 is no penalty.")}
        step={0.05}
        {...form.field("repeatPenalty")}
      />
      <Select
        label={t("If no passage is kept")}
        {...choices(NO_PASSAGES_OPTIONS)}
        {...form.field("noPassages")}
      />
      <Select
        label={t("Order of passages in the prompt")}
        {...choices(PASSAGE_ORDERS)}
        {...form.field("passageOrder")}
      />
      <Select
        label={t("Answers")}
        description={t(
          "Repeatable: one request at a time, and every prompt is processed in full. Takes several times longer; not possible with Ollama.",
        )}
        {...choices(ANSWERS)}
        {...form.field("answers")}
      />
      <Select
        label={t("Metric definitions")}
        description={t(
          "Published: the definitions of the published PaSSER, for comparison with its results.",
        )}
        {...choices(PROFILES)}
        {...form.field("profile")}
      />
      <NumberInput
        label={t("Fetch step (kIncrement)")}
        description={t("kIncrement is only recorded: results do not depend on it.")}
        {...form.whole("kIncrement")}
      />
      <NumberInput
        label={t("Repetitions")}
        description={t("Number of times each configuration runs.")}
        {...form.whole("repeat")}
      />
      <Checkbox
        label={t("Measure noise")}
        description={t("Runs the baseline once more. Shows how much scores vary when nothing changes.")}
        disabled={form.values.baseline === "nothing"}
        {...form.field("noise", "checkbox")}
      />
      <NumberInput
        label={t("Question limit")}
        description={t("Only the first questions are used. Leave empty to use all.")}
        {...form.whole("questions")}
      />
      <Timing form={form} />
      <BudgetField hasPrice {...form.field("budget")} />
      <TextInput
        label={t("Price of a million tokens")}
        description={t(
          "Price of a million tokens in prompts and in replies, such as 0.15,0.60 USD. Needed for a limit or a cost in money.",
        )}
        required={form.values.cost === "money"}
        {...form.field("price")}
      />
      <Checkbox
        label={t("Enable thinking")}
        description={t("Only for models that support it. Thinking counts against the answer length limit.")}
        {...form.field("think", "checkbox")}
      />
      <Checkbox
        label={t("Strip thinking from the reply")}
        description={t("Text inside <think> is not scored. The raw reply is kept.")}
        {...form.field("stripThinking", "checkbox")}
      />
    </SimpleGrid>
  );
}

/** Whether times are what the sweep is for. */
function Timing({ form }: { form: SweepFormState }) {
  return (
    <Stack gap="xs">
      <Checkbox
        label={t("Timing run")}
        description={t(
          "Asks one question at a time and reuses no stored answers, so that times can be compared. Takes longer.",
        )}
        {...form.field("timed", "checkbox")}
      />
      {form.values.timed && (
        <NumberInput
          label={t("Warm-up questions")}
          description={t(
            "First questions of each model, during which the model is loaded. They are excluded from medians.",
          )}
          min={0}
          {...form.whole("warmUp")}
        />
      )}
    </Stack>
  );
}
