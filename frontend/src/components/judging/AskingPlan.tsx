import { Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { type Fact, Facts } from "@/components/Facts";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Warnings } from "@/components/Warnings";
import { t } from "@/words";

interface Props<Plan> {
  query: UseQueryResult<Plan, unknown>;
  /** Notes of the plan. */
  factsOf: (plan: Plan) => Fact[];
}

/** What work with a model would ask and cost, before it starts. */
export function AskingPlan<Plan extends { warnings: string[] }>({ query, factsOf }: Props<Plan>) {
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  if (!query.data) return <Text role="status">{t("Computing the plan…")}</Text>;
  return (
    <>
      <Warnings warnings={query.data.warnings} />
      <Facts facts={factsOf(query.data)} />
    </>
  );
}
