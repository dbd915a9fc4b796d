import { Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { DraftPlan } from "@/api/types";
import { Facts } from "@/components/Facts";
import { formatCount } from "@/components/numbers/format";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Warnings } from "@/components/Warnings";
import { t } from "@/words";

/** What drafting would ask at least, before it starts. */
export function DraftingPlan({ query }: { query: UseQueryResult<DraftPlan, unknown> }) {
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  if (!query.data) return <Text role="status">{t("Computing the plan…")}</Text>;
  const { passages, windows, asks, asks_each, language, input_tokens, output_tokens, cost, warnings } =
    query.data;
  return (
    <>
      <Warnings title={t("Warnings")} warnings={warnings} />
      <Facts
        facts={[
          [t("Passages"), formatCount(passages)],
          [t("Texts to read"), formatCount(windows)],
          [t("Language"), language],
          [t("Requests per question"), t("at least {count, number}", { count: asks_each })],
          [t("Requests"), t("at least {count, number}", { count: asks })],
          [
            t("Tokens"),
            t("about {input, number} of prompts, at most {output, number} of replies", {
              input: input_tokens,
              output: output_tokens,
            }),
          ],
          [
            t("Cost"),
            cost == null
              ? t("unknown: enter the prices")
              : t("about {cost} if every draft passes", { cost: cost.toFixed(2) }),
          ],
        ]}
      />
    </>
  );
}
