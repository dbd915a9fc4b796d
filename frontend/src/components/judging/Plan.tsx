import { Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { AssessmentPlan } from "@/api/types";
import { Facts } from "@/components/Facts";
import { formatCount } from "@/components/numbers/format";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Warnings } from "@/components/Warnings";
import { t } from "@/words";
import { costFacts } from "./costFacts";

/** What an assessment would ask and cost, before it starts. */
export function Plan({ query, of }: { query: UseQueryResult<AssessmentPlan, unknown>; of: string }) {
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  if (!query.data) return <Text role="status">{t("Computing the plan…")}</Text>;
  const { items, asks, known, is_complete, columns, warnings } = query.data;
  return (
    <>
      <Warnings title={t("Warnings")} warnings={warnings} />
      <Facts
        facts={[
          [of, formatCount(items)],
          [t("Metrics"), columns.join(", ")],
          [
            t("Requests"),
            is_complete
              ? formatCount(asks)
              : t("at least {count, number}; later steps depend on the replies", { count: asks }),
          ],
          [t("Judged before"), t("{count, number}, reused without a request", { count: known })],
          ...costFacts(query.data),
        ]}
      />
    </>
  );
}
