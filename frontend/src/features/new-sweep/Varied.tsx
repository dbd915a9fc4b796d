import { Checkbox, Group, NumberInput, SegmentedControl, SimpleGrid, Text, TextInput } from "@mantine/core";
import { Panel } from "@/components/Panel";
import { words } from "@/words";
import { type SweepForm, thresholds } from "./form";
import type { SweepFormState } from "./useSweepForm";

const MODES = ["score", "normal"] as const;

/** What is compared: a range of thresholds, or values of k; and what it is compared with. */
export function Varied({ form }: { form: SweepFormState }) {
  const { mode, baseline } = form.values;
  const label = words.newSweep;
  return (
    <Panel title={label.varied}>
      <div>
        <SegmentedControl
          aria-label={label.mode}
          value={mode}
          onChange={(value) => form.set("mode", value as SweepForm["mode"])}
          data={MODES.map((value) => ({ value, label: label.modes[value] }))}
          withItemsBorders={false}
        />
        <Text size="sm" c="var(--quiet)" mt={6}>
          {label.modesHint[mode]}
        </Text>
      </div>
      {mode === "score" ? (
        <Thresholds form={form} />
      ) : (
        <TextInput
          label={label.ks}
          description={label.ksHint}
          inputMode="numeric"
          maw={320}
          {...form.field("ks")}
        />
      )}
      <Group align="flex-start" gap="xl">
        <Checkbox
          label={label.baseline}
          description={label.baselineHint}
          {...form.field("baseline", "checkbox")}
        />
        {baseline && (
          <NumberInput
            label={label.baselineK}
            description={mode === "score" ? label.baselineKHint : undefined}
            allowDecimal={false}
            w={200}
            {...form.field("baselineK")}
          />
        )}
      </Group>
    </Panel>
  );
}

function Thresholds({ form }: { form: SweepFormState }) {
  const label = words.newSweep;
  const { start, stop, step } = form.values;
  const values = thresholds(start, stop, step).map((value) => value.toFixed(2));
  return (
    <div>
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="md" style={{ alignItems: "end" }}>
        <NumberInput label={label.start} step={0.05} decimalScale={4} {...form.field("start")} />
        <NumberInput label={label.stop} step={0.05} decimalScale={4} {...form.field("stop")} />
        <NumberInput label={label.step} step={0.01} decimalScale={4} {...form.field("step")} />
        <NumberInput label={label.maxK} allowDecimal={false} {...form.field("maxK")} />
      </SimpleGrid>
      <Text size="sm" c="var(--quiet)" mt={6} aria-live="polite">
        {values.length > 0 ? label.thresholds(values.join(", ")) : label.noThresholds}
      </Text>
    </div>
  );
}
