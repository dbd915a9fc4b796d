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
import { usual } from "@/api/defaults";
import { RetrieverField } from "@/components/material/RetrieverField";
import { Note } from "@/components/Note";
import { formatList, formatScore } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import { decimals, type SweepForm, thresholdsOf } from "./form";
import classes from "./NewSweepPage.module.css";
import type { RangeSource } from "./useProposedRange";
import type { SweepFormState } from "./useSweepForm";

const BASELINES = {
  normal: t("Top-k"),
  none: t("No retrieval"),
  nothing: t("No baseline"),
  copied: t("Same as in the copied sweep"),
};

/** What is compared: thresholds, numbers of passages, or both; and what with. */
export function Varied({ form, source }: { form: SweepFormState; source: RangeSource }) {
  const { varyThreshold, varyK, varyShare, baseline } = form.values;
  return (
    <Panel title={t("Comparison")}>
      <Checkbox
        label={t("Score mode (similarity threshold)")}
        description={t("Keeps passages with at least this similarity to the question, up to maxK passages.")}
        {...form.field("varyThreshold", "checkbox")}
      />
      {varyThreshold && <Thresholds form={form} source={source} />}
      <Checkbox
        label={t("Normal mode (top-k)")}
        description={t("Keeps the k most similar passages.")}
        {...form.field("varyK", "checkbox")}
      />
      {varyK && (
        <TextInput
          className={classes.indented ?? ""}
          label={t("k")}
          description={t("One or more numbers, separated by commas.")}
          maw={320}
          {...form.field("ks")}
        />
      )}
      <Checkbox
        label={t("Relative threshold")}
        description={t("Keeps passages that are nearly as similar as the best one of the question.")}
        {...form.field("varyShare", "checkbox")}
      />
      {varyShare && (
        <TextInput
          className={classes.indented ?? ""}
          label={t("Shares of the best similarity")}
          description={t("One or more numbers up to 1, separated by commas.")}
          maw={320}
          {...form.field("shares")}
        />
      )}
      <Checkbox
        label={t("Largest gap")}
        description={t("Keeps passages before the largest drop in similarity among the first 20.")}
        {...form.field("varyGap", "checkbox")}
      />
      <RetrieverField
        description={t(
          "Each retriever is compared with its own baseline. Thresholds are possible with the dense retriever only.",
        )}
        {...form.field("retrievers")}
      />
      <Group align="flex-start" gap="md">
        <Select
          label={t("Baseline")}
          data={Object.entries(BASELINES)
            .filter(([value]) => value !== "copied" || form.values.carried?.baseline != null)
            .map(([value, text]) => ({ value, label: text }))}
          allowDeselect={false}
          {...form.field("baseline")}
        />
        {baseline === "normal" && (
          <NumberInput
            label={t("Baseline k")}
            w={160}
            placeholder={String(usual.baseline_k)}
            {...form.whole("baselineK")}
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
      <Text size="sm">
        {t("The copied sweep has more settings, which this form does not show. They are copied unchanged.")}
      </Text>
      <pre className={classes.carried}>{JSON.stringify(carried, null, 1)}</pre>
      <Button size="xs" variant="default" onClick={drop}>
        {t("Remove settings")}
      </Button>
    </Note>
  );
}

/** What is said of thresholds that nobody has typed. */
const SOURCES: Record<RangeSource, string | null> = {
  waiting: t(
    "This is the default range. After you choose a collection and questions, PaSSER proposes a range from their retrieval.",
  ),
  usual: t("This is the default range. The retrieval preview below proposes one for these questions."),
  computed: t("This is the default range. A range for these questions is being computed."),
  proposed: t("Proposed from the retrieval of these questions."),
  typed: null,
};

function Thresholds({ form, source }: { form: SweepFormState; source: RangeSource }) {
  const isRange = form.values.thresholdsAs === "range";
  const values = thresholdsOf(form.values);
  const { models, prompts, temperatures } = form.values;
  const combined = models.length * prompts.length * decimals(temperatures).length;
  const isOdd = values.length === 0 || values.some(Number.isNaN);
  return (
    <Stack gap="xs" className={classes.indented ?? ""}>
      <Group align="flex-end" gap="md">
        <fieldset className={classes.range}>
          <legend>{t("Similarity threshold")}</legend>
          {isRange ? (
            <>
              <NumberInput label={t("From")} step={0.05} decimalScale={4} {...form.field("start")} />
              <NumberInput label={t("To")} step={0.05} decimalScale={4} {...form.field("stop")} />
              <NumberInput label={t("Step")} step={0.01} decimalScale={4} {...form.field("step")} />
            </>
          ) : (
            <TextInput
              className={classes.whole ?? ""}
              label={t("Numbers separated by commas")}
              {...form.field("thresholdList")}
            />
          )}
        </fieldset>
        <SegmentedControl
          size="xs"
          aria-label={t("Threshold input")}
          value={form.values.thresholdsAs}
          onChange={(value) => form.set("thresholdsAs", value as SweepForm["thresholdsAs"])}
          data={[
            { value: "range", label: t("Range") },
            { value: "list", label: t("List") },
          ]}
        />
      </Group>
      <NumberInput label={t("Maximum passages (maxK)")} w={250} {...form.whole("maxK")} />
      {isRange && (
        <Quiet aria-live="polite">
          {isOdd
            ? t(
                "This range contains no threshold. The step must be above 0 and the end must not be before the start.",
              )
            : t("Thresholds: {values}.", {
                values: formatList(values.map((value) => formatScore(value, 2))),
              })}{" "}
          {SOURCES[source]}
        </Quiet>
      )}
      {source !== "typed" && combined > 1 && (
        <Quiet>
          {t(
            "Every threshold is run with each of the {count, number} combinations of models, prompts and temperatures. Clear “Score mode” to compare these alone.",
            { count: combined },
          )}
        </Quiet>
      )}
    </Stack>
  );
}
