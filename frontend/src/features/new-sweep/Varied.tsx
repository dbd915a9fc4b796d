import {
  Button,
  Checkbox,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { Note } from "@/components/Note";
import { Panel } from "@/components/Panel";
import { words } from "@/words";
import { type SweepForm, thresholdsOf } from "./form";
import classes from "./NewSweepPage.module.css";
import type { SweepFormState } from "./useSweepForm";

const label = words.newSweep;

/** What is compared: thresholds, numbers of passages, or both; and what with. */
export function Varied({ form }: { form: SweepFormState }) {
  const { varyThreshold, varyK, baseline, maxK } = form.values;
  return (
    <Panel title={label.varied}>
      <Checkbox
        label={label.varyThreshold}
        description={label.varyThresholdHint}
        {...form.field("varyThreshold", "checkbox")}
      />
      {varyThreshold && <Thresholds form={form} />}
      <Checkbox label={label.varyK} description={label.varyKHint} {...form.field("varyK", "checkbox")} />
      {varyK && (
        <TextInput
          className={classes.indented ?? ""}
          label={label.ks}
          description={label.listHint}
          maw={320}
          {...form.field("ks")}
        />
      )}
      <Group align="flex-start" gap="md">
        <Select
          label={label.baseline}
          data={Object.entries(label.baselines)
            .filter(([value]) => value !== "copied" || form.values.carried?.baseline != null)
            .map(([value, text]) => ({ value, label: text }))}
          allowDeselect={false}
          {...form.field("baseline")}
        />
        {baseline === "normal" && (
          <NumberInput
            label={label.baselineK}
            allowDecimal={false}
            w={160}
            placeholder={label.asMaxK(String(maxK))}
            {...form.field("baselineK")}
          />
        )}
      </Group>
      <CarriedNote form={form} />
    </Panel>
  );
}

/** What comes from a copied sweep and has no field here is said, and can be left out. */
function CarriedNote({ form }: { form: SweepFormState }) {
  const { carried, baseline } = form.values;
  if (!carried) return null;
  const drop = () => {
    form.set("carried", null);
    if (baseline === "copied") form.set("baseline", "nothing");
  };
  return (
    <Note>
      <Text size="sm">{label.carried}</Text>
      <pre className={classes.carried}>{JSON.stringify(carried, null, 1)}</pre>
      <Button size="xs" variant="default" onClick={drop}>
        {label.carriedDrop}
      </Button>
    </Note>
  );
}

function Thresholds({ form }: { form: SweepFormState }) {
  const isRange = form.values.thresholdsAs === "range";
  const values = thresholdsOf(form.values);
  const isOdd = values.length === 0 || values.some(Number.isNaN);
  return (
    <Stack gap="xs" className={classes.indented ?? ""}>
      <Group align="flex-end" gap="md">
        <fieldset className={classes.range}>
          <legend>{label.threshold}</legend>
          {isRange ? (
            <>
              <NumberInput label={label.start} step={0.05} decimalScale={4} {...form.field("start")} />
              <NumberInput label={label.stop} step={0.05} decimalScale={4} {...form.field("stop")} />
              <NumberInput label={label.step} step={0.01} decimalScale={4} {...form.field("step")} />
            </>
          ) : (
            <TextInput
              className={classes.whole ?? ""}
              label={label.thresholdList}
              {...form.field("thresholdList")}
            />
          )}
        </fieldset>
        <NumberInput label={label.maxK} allowDecimal={false} w={100} {...form.field("maxK")} />
        <SegmentedControl
          size="xs"
          aria-label={label.thresholdsAs}
          value={form.values.thresholdsAs}
          onChange={(value) => form.set("thresholdsAs", value as SweepForm["thresholdsAs"])}
          data={[
            { value: "range", label: label.asRange },
            { value: "list", label: label.asList },
          ]}
        />
      </Group>
      {isRange && (
        <Text size="sm" c="var(--quiet)" aria-live="polite">
          {isOdd ? label.noThresholds : label.thresholds(values.map((value) => value.toFixed(2)).join(", "))}
        </Text>
      )}
    </Stack>
  );
}
