import type { ColumnCalibration } from "@/api/types";
import { type Fact, Facts, type PossibleFact } from "@/components/Facts";
import { estimatedInterval } from "@/components/judging/estimatedInterval";
import {
  formatDifference,
  formatInterval,
  formatP,
  formatScore,
  formatShare,
} from "@/components/numbers/format";
import { t } from "@/words";

interface Props {
  agreement: Agreement;
  ceiling: ColumnCalibration["ceiling"];
  /** Facts to show before these. */
  before?: Fact[];
  /** Who is compared with people; a score may decide games in place of a judge. */
  by?: By;
  /** What both have given a value. */
  unit?: "answers" | "games";
}

type Agreement = NonNullable<ColumnCalibration["agreement"]>;

type By = "judge" | "score";

/** How a judge agrees with people: bias, correlation, chance-corrected agreement, and the human ceiling. */
export function AgreementFacts({ agreement, ceiling, before = [], by = "judge", unit = "answers" }: Props) {
  const { limits, rho_by_formula, tau, categories } = agreement;
  const facts: PossibleFact[] = [
    ...before,
    [
      t("{unit, select, games {Games} other {Answers}} with both values", { unit }),
      t("{n, number} of {labelled, number} rated {unit, select, games {games} other {answers}}", {
        n: agreement.n,
        labelled: agreement.labelled,
        unit,
      }),
    ],
    [
      t("Means"),
      t("people {human}, {by, select, score {score} other {judge}} {judge}", {
        by,
        human: formatScore(agreement.human_mean),
        judge: formatScore(agreement.judge_mean),
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
    [t("Mean absolute error"), formatScore(agreement.error)],
    [t("Rank correlation (Spearman)"), withInterval(agreement.rho, agreement.rho_interval)],
    rho_by_formula && [t("95 % interval of ρ by Bonett and Wright"), formatInterval(rho_by_formula) ?? ""],
    [
      t("Rank correlation (Kendall τ-b)"),
      tau?.p == null ? figure(tau?.tau) : `${formatScore(tau.tau)}, p ${formatP(tau.p)}`,
    ],
    ...(categories ? categoryFacts(categories) : []),
    ...(ceiling ? ceilingFacts(ceiling, by) : []),
  ];
  return <Facts facts={facts} />;
}

/** How often both give the same value; where there are two values, what the judge finds of each. */
function categoryFacts(categories: NonNullable<Agreement["categories"]>): PossibleFact[] {
  const { precision, sensitivity, specificity } = categories;
  const isBinary = sensitivity != null || specificity != null;
  return [
    [t("Same value"), withInterval(categories.same, categories.same_interval)],
    [t("Cohen’s κ"), withInterval(categories.kappa, categories.kappa_interval)],
    [t("Gwet’s AC"), figure(categories.ac)],
    isBinary && [t("Precision"), withInterval(precision, categories.precision_interval)],
    isBinary && [t("Recall"), withInterval(sensitivity, categories.sensitivity_interval)],
    isBinary && [t("Specificity"), withInterval(specificity, categories.specificity_interval)],
  ];
}

/** What people reach among themselves, and whether the judge may take the place of one of them. */
function ceilingFacts(ceiling: NonNullable<ColumnCalibration["ceiling"]>, by: By): PossibleFact[] {
  const { judge, people, z, alpha, alpha_with_judge, alternative } = ceiling;
  return [
    [
      t("Human ceiling (mean κ)"),
      t("{by, select, score {score} other {judge}} and people {judge}, people among themselves {people}", {
        by,
        judge: formatScore(mean(judge)),
        people: formatScore(mean(people)),
      }),
    ],
    z != null && [
      t("{by, select, score {Score} other {Judge}} compared with the raters (z)", { by }),
      `${formatDifference(z, 2)}: ${besideRaters(z)}`,
    ],
    alpha != null &&
      alpha_with_judge != null && [
        t("Krippendorff’s α"),
        t("people {people}, with the {by, select, score {score} other {judge}} as one more rater {judge}", {
          by,
          people: formatScore(alpha),
          judge: formatScore(alpha_with_judge),
        }),
      ],
    alternative && [
      t("At least as close to the other raters as a rater is"),
      t("{share} of the answers", { share: formatShare(alternative.advantage) }),
    ],
    ...(alternative?.verdicts ?? []).map(
      ({ raters, allowance, passes, winning }): PossibleFact => [
        t("Can replace a rater: {raters} (ε {allowance})", {
          raters: KINDS[raters],
          allowance: formatScore(allowance, 2),
        }),
        t("{answer}, for {share} of the raters", {
          answer: passes ? t("yes") : t("no"),
          share: formatShare(winning),
        }),
      ],
    ),
    alternative?.raters === 2 && [
      t("Alternative annotator test"),
      t("Only two raters: each is compared with the other one alone."),
    ],
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function figure(value: number | null | undefined): string {
  return value == null ? t("not defined") : formatScore(value);
}

function withInterval(
  value: number | null | undefined,
  interval: Parameters<typeof formatInterval>[0],
): string {
  const share = figure(value);
  return value == null
    ? share
    : t("{share}, 95 % interval {interval}", { share, interval: estimatedInterval(interval) });
}

function besideRaters(z: number): string {
  if (z > 1) return t("more consistent than people are with each other, which is a warning, not praise");
  return z < -1
    ? t("agrees less with people than they do with each other")
    : t("agrees with people as well as they agree with each other");
}

const KINDS = { crowd: t("untrained people"), skilled: t("trained people"), experts: t("experts") } as const;
