import type { RunFailures } from "@/api/types";
import { formatInterval, formatShare } from "@/components/numbers/format";
import { t } from "@/words";

type Decisions = NonNullable<RunFailures["decisions"]>;

/** What was decided, answer or abstention, in the order in which it is shown. */
export const DECISIONS: readonly [keyof Decisions, string][] = [
  ["answered_with_gold", t("Answered with gold passage")],
  ["right", t("Correct answer with gold passage")],
  ["right_abstention", t("Correct abstention")],
  ["over_refusal", t("Abstained with gold passage")],
  ["unsupported_answer", t("Answered without gold passage")],
  ["abstained_answerable", t("Abstained, answerable questions")],
  ["abstained_unanswerable", t("Abstained, unanswerable questions")],
];

/** The counts that sum to all questions; the others are parts of them. */
export const FOUR: readonly (keyof Decisions)[] = [
  "answered_with_gold",
  "right_abstention",
  "over_refusal",
  "unsupported_answer",
];

/** A count with what it is of. */
export function countOf({ n, of }: Decisions["right"]): string {
  return of > 0 ? t("{count, number} of {n, number}", { count: n, n: of }) : t("no questions");
}

/** The 95 % interval of the share of a count. */
export function intervalOf({ interval }: Decisions["right"]): string | null {
  return formatInterval(interval, formatShare);
}

/** A count of questions with the 95 % interval of its share. */
export function shareOf({ n, of, interval }: Decisions["right"]): string {
  return interval
    ? t("{n, number} of {of, number} ({low} to {high})", {
        n,
        of,
        low: formatShare(interval.low),
        high: formatShare(interval.high),
      })
    : t("no questions");
}
