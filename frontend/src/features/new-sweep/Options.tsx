import {
  Button,
  Checkbox,
  MultiSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useState } from "react";
import { api } from "@/api/client";
import { Panel } from "@/components/Panel";
import { words } from "@/words";
import type { SweepFormState } from "./useSweepForm";

/** What rarely changes, folded away; what is set is named while it is. */
export function Options({ form }: { form: SweepFormState }) {
  const [open, setOpen] = useState(false);
  const label = words.newSweep;
  const { prompts, temperatures, seed, timed } = form.values;
  return (
    <Panel
      title={label.advanced}
      beside={
        <Button variant="subtle" size="compact-sm" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? label.advancedHide : label.advancedShow}
        </Button>
      }
    >
      {open ? (
        <Fields form={form} />
      ) : (
        <Text size="sm" c="var(--quiet)">
          {label.advancedSummary(prompts.join(", "), temperatures, String(seed))}
          {timed && `, ${label.timedSummary}`}
        </Text>
      )}
    </Panel>
  );
}

function Fields({ form }: { form: SweepFormState }) {
  const prompts = api.useQuery("get", "/api/v1/prompts");
  const label = words.newSweep;
  const names = new Set([...form.values.prompts, ...(prompts.data?.items ?? [])]);
  const choices = <Value extends string>(of: Record<Value, string>) =>
    Object.entries<string>(of).map(([value, text]) => ({ value, label: text }));
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      <TextInput label={label.name} placeholder={label.namePlaceholder} {...form.field("name")} />
      <MultiSelect
        label={label.prompts}
        description={label.promptsHint}
        data={[...names]}
        {...form.field("prompts")}
      />
      <TextInput
        label={label.temperatures}
        description={label.temperaturesHint}
        {...form.field("temperatures")}
      />
      <NumberInput label={label.seed} allowDecimal={false} {...form.field("seed")} />
      <NumberInput
        label={label.numCtx}
        description={label.numCtxHint}
        allowDecimal={false}
        step={1024}
        {...form.field("numCtx")}
      />
      <NumberInput
        label={label.numPredict}
        description={label.numPredictHint}
        allowDecimal={false}
        step={64}
        {...form.field("numPredict")}
      />
      <NumberInput label={label.topP} step={0.05} {...form.field("topP")} />
      <NumberInput label={label.topK} allowDecimal={false} {...form.field("topK")} />
      <Select
        label={label.noPassages}
        data={choices(label.noPassagesOptions)}
        allowDeselect={false}
        {...form.field("noPassages")}
      />
      <Select
        label={label.profile}
        description={label.profileHint}
        data={choices(label.profiles)}
        allowDeselect={false}
        {...form.field("profile")}
      />
      <NumberInput
        label={label.repeat}
        description={label.repeatHint}
        allowDecimal={false}
        {...form.field("repeat")}
      />
      <NumberInput
        label={label.questions}
        description={label.questionsHint}
        allowDecimal={false}
        {...form.field("questions")}
      />
      <Timing form={form} />
      <Checkbox
        label={label.stripThinking}
        description={label.stripThinkingHint}
        {...form.field("stripThinking", "checkbox")}
      />
    </SimpleGrid>
  );
}

/** Whether times are what the sweep is for. */
function Timing({ form }: { form: SweepFormState }) {
  const label = words.newSweep;
  return (
    <Stack gap="xs">
      <Checkbox label={label.timed} description={label.timedHint} {...form.field("timed", "checkbox")} />
      {form.values.timed && (
        <NumberInput
          label={label.warmUp}
          description={label.warmUpHint}
          allowDecimal={false}
          min={0}
          {...form.field("warmUp")}
        />
      )}
    </Stack>
  );
}
