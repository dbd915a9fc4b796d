import type { components } from "@/api/schema";
import { t } from ".";

type Outcome = components["schemas"]["FamilyGain"]["outcome"];
type Verdict = components["schemas"]["Verdict"];

const OUTCOMES: Record<Outcome, string> = {
  better: t("better"),
  worse: t("worse"),
  as_good: t("as good"),
  undecided: t("undecided"),
  identical: t("identical"),
};

/** What the interval of a gain says, in a word. */
export function outcomeOf(outcome: Outcome): string {
  return OUTCOMES[outcome];
}

/** The heading of a verdict: the recommended configuration, or why there is none. */
export function headingOf({ kind, recommended, missing }: Verdict): string {
  if (recommended != null) return recommended;
  if (kind === "keep_baseline") return t("Keep the baseline");
  if (kind === "cannot_tell") return t("Cannot tell");
  return missing.includes("no_baseline") ? t("No baseline") : t("No verdict yet");
}

const KINDS: Partial<Record<Verdict["kind"], string>> = {
  better: t("Better than the baseline"),
  as_good_cheaper: t("As good as the baseline, at a lower cost"),
};

/** What a recommended configuration is; the heading of the other verdicts says it itself. */
export function kindOf(kind: Verdict["kind"]): string | undefined {
  return KINDS[kind];
}
