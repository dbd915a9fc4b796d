import type { ColumnCalibration } from "@/api/types";
import { Facts } from "@/components/Facts";
import {
  formatDifference,
  formatInterval,
  formatP,
  formatScore,
  formatShare,
} from "@/components/numbers/format";
import { t } from "@/words";

interface Props {
  agreement: NonNullable<ColumnCalibration["agreement"]>;
  ceiling: ColumnCalibration["ceiling"];
  /** Facts to show before these. */
  before?: [string, string][];
  /** Who is compared with people; a score may decide games in place of a judge. */
  by?: By;
  /** What both have given a value. */
  unit?: "answers" | "games";
}

type By = "judge" | "score";

/** How a judge agrees with people: bias, correlation, chance-corrected agreement, and the human ceiling. */
export function AgreementFacts({ agreement, ceiling, before = [], by = "judge", unit = "answers" }: Props) {
  const {
    n,
    labelled,
    limits,
    human_mean,
    judge_mean,
    error,
    rho,
    rho_interval,
    rho_by_formula,
    tau,
    categories,
  } = agreement;
  const figure = (value: number | null | undefined) =>
    value == null ? t("not defined") : formatScore(value);
  const withInterval = (value: number | null | undefined, interval: Parameters<typeof formatInterval>[0]) =>
    interval
      ? t("{share}, 95 % interval {interval}", {
          share: figure(value),
          interval: formatInterval(interval) ?? "",
        })
      : figure(value);
  const facts: [string, string][] = [
    ...before,
    [
      t("{unit, select, games {Games} other {Answers}} with both values", { unit }),
      t("{n, number} of {labelled, number} rated answers", { n, labelled }),
    ],
    [
      t("Means"),
      t("people {human}, {by, select, score {score} other {judge}} {judge}", {
        by,
        human: formatScore(human_mean),
        judge: formatScore(judge_mean),
      }),
    ],
    [
      t("Bias ({by, select, score {score} other {judge}} minus people)", { by }),
      limits.low === null || limits.high === null
        ? formatScore(limits.bias)
        : t("{bias}, limits of agreement {limits}", {
            bias: formatScore(limits.bias),
            limits: formatInterval({ low: limits.low, high: limits.high }) ?? "",
          }),
    ],
    [t("Mean absolute error"), formatScore(error)],
    [t("Rank correlation (Spearman)"), withInterval(rho, rho_interval)],
    ...(rho_by_formula
      ? [
          [t("Its 95 % interval by Bonett and Wright"), formatInterval(rho_by_formula) ?? ""] satisfies [
            string,
            string,
          ],
        ]
      : []),
    [
      t("Rank correlation (Kendall τ-b)"),
      tau?.p == null ? figure(tau?.tau) : `${formatScore(tau.tau)}, p ${formatP(tau.p)}`,
    ],
  ];
  if (categories) {
    facts.push(
      [t("Same value"), withInterval(categories.same, categories.same_interval)],
      [t("Cohen’s κ"), withInterval(categories.kappa, categories.kappa_interval)],
      [t("Gwet’s AC"), figure(categories.ac)],
    );
    if (categories.sensitivity != null || categories.specificity != null)
      facts.push(
        [t("Precision"), withInterval(categories.precision, categories.precision_interval)],
        [t("Recall"), withInterval(categories.sensitivity, categories.sensitivity_interval)],
        [t("Specificity"), withInterval(categories.specificity, categories.specificity_interval)],
      );
  }
  if (ceiling) facts.push(...ceilingFacts(ceiling, by));
  return <Facts facts={facts} />;
}

/** What people reach among themselves, and whether the judge may take the place of one of them. */
function ceilingFacts(ceiling: NonNullable<ColumnCalibration["ceiling"]>, by: By): [string, string][] {
  const { judge, people, z, alpha, alpha_with_judge, alternative } = ceiling;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const facts: [string, string][] = [
    [
      t("Human ceiling (mean κ)"),
      t("{by, select, score {score} other {judge}} and people {judge}, people among themselves {people}", {
        by,
        judge: formatScore(mean(judge)),
        people: formatScore(mean(people)),
      }),
    ],
  ];
  if (z != null)
    facts.push([
      t("{by, select, score {Score} other {Judge}} beside the raters (z)", { by }),
      `${formatDifference(z, 2)}: ${besideRaters(z)}`,
    ]);
  if (alpha != null && alpha_with_judge != null) {
    facts.push([
      t("Krippendorff’s α"),
      t("people {people}, with the {by, select, score {score} other {judge}} as one more rater {judge}", {
        by,
        people: formatScore(alpha),
        judge: formatScore(alpha_with_judge),
      }),
    ]);
  }
  if (alternative) {
    facts.push([
      t("At least as near to the other raters as a rater"),
      t("{share} of the answers", { share: formatShare(alternative.advantage) }),
    ]);
  }
  for (const { raters, allowance, passes, winning } of alternative?.verdicts ?? []) {
    facts.push([
      t("Can replace a rater: {raters} (ε {allowance})", {
        raters: KINDS[raters],
        allowance: formatScore(allowance, 2),
      }),
      t("{answer}, for {share} of the raters", {
        answer: passes ? t("yes") : t("no"),
        share: formatShare(winning),
      }),
    ]);
  }
  if (alternative?.raters === 2) {
    facts.push([
      t("Alternative annotator test"),
      t("Only two raters: each is compared with the other one alone."),
    ]);
  }
  return facts;
}

function besideRaters(z: number): string {
  if (z > 1) return t("more consistent than people are with each other, which is a warning, not praise");
  return z < -1 ? t("agrees less with people than they do with each other") : t("agrees like a person");
}

const KINDS = { crowd: t("untrained people"), skilled: t("trained people"), experts: t("experts") } as const;
