import { Group, NumberInput, Select, Text } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";
import { usual } from "@/api/defaults";
import type { SweepAnalysis } from "@/api/types";
import { bindChoice, typedNumber } from "@/components/fields";
import { More } from "@/components/More";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import { localised } from "@/words/count";
import { type AMOUNTS, BANDS, type Decisions } from "./decisions";

type Amount = (typeof AMOUNTS)[number];
const TYPED_MS = 600;

/** The smallest gains that have these words. */
function bandName(setting: (typeof BANDS)[number]): string {
  const [small = 0, moderate = 0, large = 0] = usual.band_limits[setting] ?? [];
  const limits = { small, moderate, large };
  return setting === usual.bands
    ? t("From {small, number}, {moderate, number} and {large, number} % (published)", limits)
    : t("From {small, number}, {moderate, number} and {large, number} %", limits);
}

interface Props {
  decisions: Decisions;
  onDecide: (next: Partial<Decisions>) => void;
  analysis: SweepAnalysis | undefined;
}

/** Settings of the verdict, of T-CPS and of repeats. An empty field leaves the value that its placeholder shows. */
export function VerdictSettings({ decisions, onDecide, analysis }: Props) {
  // Open where the address sets one of these; afterwards it is the reader's to open and close.
  const [isOpen] = useState(() => isSet(decisions));
  const repeats = analysis?.configurations.find(({ consistency }) => consistency)?.consistency;
  const byCps = analysis === undefined || analysis.rule.primary === "CPS";
  const amount = (name: Amount, usual: number | undefined) => ({
    value: decisions[name],
    usual,
    onGive: (next: number | undefined) => onDecide({ [name]: next }),
  });
  return (
    <More title={t("Margin, T-CPS and repetitions")} isOpen={isOpen}>
      <Text size="sm" my="xs" maw="48rem">
        {t(
          "Empty fields keep the recorded values. With other values the verdict is exploratory, because they were chosen after the sweep was planned.",
        )}
      </Text>
      <Group gap="sm" align="flex-start">
        <AmountField
          label={t("Margin")}
          hint={t("Smallest difference in the primary metric that matters.")}
          step={0.01}
          {...amount("margin", analysis?.rule.margin)}
        />
        <AmountField
          label={t("Alpha")}
          hint={t("Probability of one or more false findings among all comparisons.")}
          step={0.01}
          {...amount("alpha", analysis?.rule.alpha)}
        />
        <AmountField
          label={t("T-CPS alpha")}
          hint={t("Weight of 1 − CV in T-CPS. CPS, gains and intervals do not depend on it.")}
          step={0.05}
          {...amount("tcps_alpha", analysis?.stability.alpha)}
        />
        <AmountField
          label={t("T-CPS beta")}
          hint={t("Weight of CV² in T-CPS. CPS, gains and intervals do not depend on it.")}
          step={0.05}
          {...amount("tcps_beta", analysis?.stability.beta)}
        />
        <Select
          w="min(100%, 18rem)"
          label={t("Words for T-CPS gains")}
          description={t("Smallest gains called small, moderate and large. Only the wording changes.")}
          inputWrapperOrder={["label", "input", "description"]}
          data={BANDS.map((value) => ({ value, label: bandName(value) }))}
          {...bindChoice(decisions.bands ?? usual.bands, (value) =>
            onDecide({ bands: value === usual.bands ? undefined : value }),
          )}
        />
        <AmountField
          label={t("Correct answer, score at least")}
          hint={
            repeats || decisions.right_from !== undefined
              ? t("Lowest score that counts as correct when repetitions are compared.")
              : t("Lowest score that counts as correct. No effect: the sweep has no repetitions.")
          }
          step={0.05}
          {...amount("right_from", repeats?.right_from ?? usual.right_from)}
        />
      </Group>
      {!byCps && (
        <Quiet mt="xs">
          {t(
            "The primary metric is {metric}, so T-CPS does not choose the configuration: its weights change only its own columns.",
            { metric: analysis.rule.primary },
          )}
        </Quiet>
      )}
    </More>
  );
}

function isSet({ margin, alpha, tcps_alpha, tcps_beta, right_from, bands }: Decisions): boolean {
  return [margin, alpha, tcps_alpha, tcps_beta, right_from, bands].some((value) => value !== undefined);
}

interface AmountProps {
  label: string;
  hint: string;
  step: number;
  value: number | undefined;
  /** In effect where nothing is typed. */
  usual: number | undefined;
  onGive: (next: number | undefined) => void;
}

function AmountField({ label, hint, step, value, usual, onGive }: AmountProps) {
  const give = useDebouncedCallback(
    (next: number | string) => onGive(typedNumber(next) ?? undefined),
    TYPED_MS,
  );
  return (
    <NumberInput
      w="min(100%, 18rem)"
      label={label}
      description={hint}
      inputWrapperOrder={["label", "input", "description"]}
      step={step}
      decimalScale={4}
      placeholder={usual === undefined ? "" : localised(usual)}
      defaultValue={value ?? ""}
      onChange={give}
    />
  );
}
