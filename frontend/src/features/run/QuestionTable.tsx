import { Checkbox, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { runQueries } from "@/api/runs";
import { systemQueries } from "@/api/system";
import type { Run } from "@/api/types";
import { bindText, bindTick } from "@/components/fields";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { DataTable } from "@/components/table";
import { useView } from "@/components/table/useView";
import { useArrival } from "@/components/useArrival";
import { t } from "@/words";
import { METRIC, NUMBER, questionColumns } from "./questionColumns";

const route = getRouteApi("/runs/$id");
const LIMIT = 50;
const DEFAULT_METRIC = "F1 Score";

/** The run's questions with their answers, found, sorted and paged by the server; a row opens one. */
export function QuestionTable({ run }: { run: Run }) {
  const { metric = DEFAULT_METRIC, only } = route.useSearch();
  const view = useView("");
  const query = useQuery(
    runQueries.evaluations(run.id, {
      after: view.page * LIMIT - 1,
      limit: LIMIT,
      failed_only: only === "failed",
      find: view.find,
      order: view.sort?.id === METRIC ? metric : NUMBER,
      is_descending: view.sort?.desc ?? false,
    }),
  );
  useArrival(query.data !== undefined, "questions");
  return (
    <div id="questions">
      <Panel title={t("Questions")}>
        <QueryState query={query} height={160} />
        {query.data && (
          <DataTable
            name="run-questions"
            at=""
            label={t("Questions")}
            columns={questionColumns(metric)}
            rows={query.data.items}
            keyOf={({ evaluation }) => String(evaluation.number)}
            open={({ evaluation }) => ({
              to: "/runs/$id/questions/$number",
              params: { id: run.id, number: String(evaluation.number + 1) },
            })}
            paged={{ total: query.data.total, limit: LIMIT }}
            filters={<Filters run={run} metric={metric} />}
          />
        )}
      </Panel>
    </div>
  );
}

/** Which metric is shown, and whether only what failed. */
function Filters({ run, metric }: { run: Run; metric: string }) {
  const { only } = route.useSearch();
  const navigate = useNavigate({ from: "/runs/$id" });
  const metrics = useQuery(systemQueries.metrics(run.config.profile));
  const names = new Set([metric, ...(metrics.data?.items.map(({ name }) => name) ?? [])]);
  const put = (change: { metric?: string; only?: "failed" | undefined }) =>
    navigate({
      search: (search) => ({ ...search, ...change, page: undefined }),
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <NativeSelect
        label={t("Metric shown")}
        size="xs"
        data={[...names]}
        {...bindText(metric, (metric) => put({ metric }))}
      />
      {(run.counts.failed > 0 || only) && (
        <Checkbox
          size="xs"
          pb={8}
          label={t("Failed only ({count, number})", { count: run.counts.failed })}
          {...bindTick(only === "failed", (value) => put({ only: value ? "failed" : undefined }))}
        />
      )}
    </>
  );
}
