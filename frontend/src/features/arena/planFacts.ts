import type { ArenaPlan } from "@/api/types";
import { costFacts } from "@/components/judging/costFacts";
import { formatCount } from "@/components/numbers/format";
import { t } from "@/words";

/** What a tournament would ask, before it starts. */
export function planFacts(plan: ArenaPlan): [string, string][] {
  return [
    [t("Games"), formatCount(plan.games)],
    [t("Equal answers"), t("{count, number}, ties without a request", { count: plan.same_answer })],
    [t("Questions without an answer"), formatCount(plan.unanswered)],
    [t("Passages without a grade, left out"), formatCount(plan.ungraded)],
    [t("Requests"), formatCount(plan.asks)],
    [t("Judged before"), t("{count, number}, reused without a request", { count: plan.known })],
    ...costFacts(plan),
  ];
}
