import type { DraftPlan } from "@/api/types";
import { formatCount, formatScore } from "@/components/numbers/format";
import { t } from "@/words";

/** What drafting would ask at least, before it starts. */
export function planFacts(plan: DraftPlan): [string, string][] {
  const { input_tokens: input, output_tokens: output, cost } = plan;
  return [
    [t("Passages"), formatCount(plan.passages)],
    [t("Texts to read"), formatCount(plan.windows)],
    [t("Language"), plan.language],
    [t("Requests per question"), t("at least {count, number}", { count: plan.asks_each })],
    [t("Requests"), t("at least {count, number}", { count: plan.asks })],
    [
      t("Tokens"),
      t("about {input, number} of prompts, at most {output, number} of replies", { input, output }),
    ],
    [
      t("Cost"),
      cost == null
        ? t("unknown: enter the prices")
        : t("about {cost} if every draft passes", { cost: formatScore(cost, 2) }),
    ],
  ];
}
