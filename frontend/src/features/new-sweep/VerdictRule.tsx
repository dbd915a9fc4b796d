import { NumberInput, Select, SimpleGrid, Stack, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { judgingQueries } from "@/api/judging";
import { systemQueries } from "@/api/system";
import { JudgeSelect } from "@/components/judging/JudgeSelect";
import { More } from "@/components/More";
import { Panel } from "@/components/Panel";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import { localised } from "@/words/count";
import { Looks } from "./Looks";
import type { SweepFormState } from "./useSweepForm";

const CPS = "CPS";
const FOLDED = ["alpha", "panel", "normalisation", "cost", "hypothesis"] as const;

/** What the verdict goes by. It is recorded before the sweep starts; a later change makes the verdict exploratory. */
export function VerdictRule({ form }: { form: SweepFormState }) {
  const metrics = useQuery(systemQueries.metrics(form.values.profile));
  const judged = useQuery(judgingQueries.deciding());
  const { primary, judge, hypothesis, looks, alpha, panel } = form.values;
  const [isOpen, setOpen] = useState(hypothesis !== "" || looks != null);
  const ofJudges = judged.data?.items.map(({ name }) => name) ?? (judge ? [primary] : []);
  const isJudged = ofJudges.includes(primary);
  const plain = new Set([CPS, primary, ...(metrics.data?.items ?? []).map(({ name }) => name)]);
  const { error, ...field } = form.field("primary");
  const judgeField = form.field("judge");
  return (
    <Panel title={t("Verdict")}>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
        <Select
          label={t("Primary metric")}
          description={t("Metric that decides which configuration is better.")}
          data={[
            { group: t("Computed from texts"), items: [...plain].filter((name) => !ofJudges.includes(name)) },
            { group: t("Judged by a model"), items: ofJudges },
          ]}
          allowDeselect={false}
          searchable
          {...field}
          {...(error ? { error } : {})}
          onChange={(name) =>
            name && form.fill({ primary: name, judge: ofJudges.includes(name) ? judge : "" })
          }
        />
        {isJudged && (
          <JudgeSelect
            value={judge || null}
            onChange={(value) => form.set("judge", value ?? "")}
            description={t("Judges all answers once the sweep is finished; the verdict waits for it.")}
            error={judgeField.error ?? (judge ? undefined : t("Choose the model that judges."))}
          />
        )}
        {isJudged && (
          <TextInput
            label={t("Price of the judge")}
            description={t(
              "Price of a million tokens in prompts and in replies. Empty means the price of the models.",
            )}
            placeholder="0.15,0.60 USD"
            {...form.field("judgePrice")}
          />
        )}
        <NumberInput
          label={t("Margin")}
          description={
            primary === CPS
              ? t("Smallest difference in this metric that matters. 0.01 of CPS is one point.")
              : t("Smallest difference in this metric that matters.")
          }
          step={0.01}
          min={0}
          {...form.field("margin")}
        />
      </SimpleGrid>
      <More
        title={t("Statistics, cost and hypothesis")}
        isOpen={isOpen || FOLDED.some((name) => form.field(name).error)}
        onToggle={setOpen}
      >
        <Stack gap="md" mt="sm">
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
            <NumberInput
              label={t("Alpha")}
              description={t("Probability of one or more false findings among all comparisons.")}
              step={0.01}
              min={0}
              max={0.5}
              {...form.field("alpha")}
            />
            <Select
              label={t("Panel")}
              description={t("Metrics and weights of CPS.")}
              data={[
                { value: "", label: t("Not recorded (phase3)") },
                "text-1",
                "text-1-no-meteor",
                "phase3",
                "phase2",
              ]}
              allowDeselect={false}
              {...form.field("panel")}
            />
            <Select
              label={t("Normalisation")}
              description={t("How CPS scales each metric. Percentiles are not affected by a single outlier.")}
              data={[
                { value: "", label: t("Not recorded (smallest to largest)") },
                { value: "winsorised", label: t("1st to 99th percentile") },
                { value: "min-max", label: t("Smallest to largest") },
              ]}
              allowDeselect={false}
              {...form.field("normalisation")}
            />
            <Select
              label={t("Cost")}
              description={t(
                "How cost is measured. Of the configurations that are as good as the baseline, the cheapest is recommended.",
              )}
              data={[
                { value: "prompt_tokens", label: t("Tokens of the prompt") },
                { value: "passages", label: t("Passages") },
                { value: "seconds", label: t("Seconds of generation") },
                { value: "money", label: t("Money") },
              ]}
              allowDeselect={false}
              {...form.field("cost")}
            />
          </SimpleGrid>
          <Textarea
            label={t("Hypothesis")}
            description={t(
              "With a hypothesis the plan is registered: it is entered in the ledger before the first question is asked, and the verdict is confirmatory. Without one it is exploratory.",
            )}
            maxLength={2000}
            autosize
            maw="44rem"
            {...form.field("hypothesis")}
          />
          <Quiet>
            {t(
              "Weights of T-CPS and words for its gains do not affect the run: set them on the analysis page.",
            )}
          </Quiet>
          <Looks form={form} />
        </Stack>
      </More>
      {hypothesis === "" && (
        <Quiet>
          {t("Without a hypothesis the verdict is exploratory. Significance level {alpha}, panel {panel}.", {
            alpha: localised(alpha),
            panel: panel === "" ? "phase3" : panel,
          })}
        </Quiet>
      )}
    </Panel>
  );
}
