import { Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ArenaPlan } from "@/api/types";
import { Facts } from "@/components/Facts";
import { formatCount } from "@/components/numbers/format";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Warnings } from "@/components/Warnings";
import { t } from "@/words";

/** What a tournament would ask, before it starts. */
export function TournamentPlan({ query }: { query: UseQueryResult<ArenaPlan, unknown> }) {
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  if (!query.data) return <Text role="status">{t("Computing the plan…")}</Text>;
  const { games, same_answer, unanswered, ungraded, asks, known, input_tokens, output_tokens, warnings } =
    query.data;
  return (
    <>
      <Warnings title={t("Warnings")} warnings={warnings} />
      <Facts
        facts={[
          [t("Games"), formatCount(games)],
          [t("Equal answers"), t("{count, number}, ties without a request", { count: same_answer })],
          [t("Questions without an answer"), formatCount(unanswered)],
          [t("Passages without a grade, left out"), formatCount(ungraded)],
          [t("Requests"), formatCount(asks)],
          [t("Judged before"), t("{count, number}, reused without a request", { count: known })],
          [
            t("Tokens"),
            t("about {input, number} of prompts, at most {output, number} of replies", {
              input: input_tokens,
              output: output_tokens,
            }),
          ],
        ]}
      />
    </>
  );
}
