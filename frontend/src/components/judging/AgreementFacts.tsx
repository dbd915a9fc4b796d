import type { ColumnCalibration } from "@/api/types";
import { Facts } from "@/components/Facts";
import { formatScore } from "@/components/numbers/format";
import { formatInterval } from "@/components/numbers/interval";
import { t } from "@/words";

interface Props {
  agreement: NonNullable<ColumnCalibration["agreement"]>;
  ceiling: ColumnCalibration["ceiling"];
  /** Facts to show before these. */
  before?: [string, string][];
}

/** How a judge agrees with people: bias, correlation, chance-corrected agreement, and the human ceiling. */
export function AgreementFacts({ agreement, ceiling, before = [] }: Props) {
  const { n, labelled, limits, human_mean, judge_mean, rho, rho_interval, tau, categories } = agreement;
  const figure = (value: number | null | undefined) =>
    value == null ? t("not defined") : formatScore(value);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const facts: [string, string][] = [
    ...before,
    [t("Answers with both values"), t("{n, number} of {labelled, number} labelled", { n, labelled })],
    [
      t("Means"),
      t("people {human}, judge {judge}", { human: formatScore(human_mean), judge: formatScore(judge_mean) }),
    ],
    [
      t("Bias (judge minus people)"),
      limits.low === null || limits.high === null
        ? formatScore(limits.bias)
        : t("{bias}, limits of agreement {limits}", {
            bias: formatScore(limits.bias),
            limits: formatInterval({ low: limits.low, high: limits.high }) ?? "",
          }),
    ],
    [
      t("Rank correlation (Spearman)"),
      rho_interval
        ? t("{rho}, 95 % interval {interval}", {
            rho: figure(rho),
            interval: formatInterval(rho_interval) ?? "",
          })
        : figure(rho),
    ],
    [t("Rank correlation (Kendall τ-b)"), figure(tau?.tau)],
  ];
  if (categories) {
    facts.push(
      [
        t("Same value"),
        t("{share}, 95 % interval {interval}", {
          share: formatScore(categories.same),
          interval: formatInterval(categories.same_interval) ?? "",
        }),
      ],
      [t("Cohen’s κ"), figure(categories.kappa)],
      [t("Gwet’s AC"), figure(categories.ac)],
    );
  }
  if (ceiling) {
    facts.push([
      t("Human ceiling (mean κ)"),
      t("judge and people {judge}, people among themselves {people}", {
        judge: formatScore(mean(ceiling.judge)),
        people: formatScore(mean(ceiling.people)),
      }),
    ]);
  }
  return <Facts facts={facts} />;
}
