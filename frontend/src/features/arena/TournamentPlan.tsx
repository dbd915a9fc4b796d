import { Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ArenaPlan } from "@/api/types";
import { Facts } from "@/components/Facts";
import { costFacts } from "@/components/judging/costFacts";
import { formatCount } from "@/components/numbers/format";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Warnings } from "@/components/Warnings";
import { t } from "@/words";

/** What a tournament would ask, before it starts. */
export function TournamentPlan({ query }: { query: UseQueryResult<ArenaPlan, unknown> }) {
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  if (!query.data) return <Text role="status">{t("Computing the plan…")}</Text>;
  const { games, same_answer, unanswered, ungraded, asks, known, warnings } = query.data;
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
          ...costFacts(query.data),
        ]}
      />
    </>
  );
}
