import { Checkbox, NativeSelect } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { api } from "@/api/client";
import type { EvaluationRow, Run } from "@/api/types";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { DataTable } from "@/components/table/DataTable";
import { useTable } from "@/components/table/useTable";
import { useArrival } from "@/components/useArrival";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { METRIC, NUMBER, openOf, questionColumns } from "./questionColumns";

const route = getRouteApi("/runs/$id");
const LIMIT = 50;
const DEFAULT_METRIC = "F1 Score";
const label = words.run;

/** The run's questions with their answers, found, sorted and paged by the server; a row opens one. */
export function QuestionTable({ run }: { run: Run }) {
  const { metric = DEFAULT_METRIC, only } = route.useSearch();
  const navigate = useNavigate({ from: "/runs/$id" });
  const columns = questionColumns(run.id, metric);
  const table = useTable<EvaluationRow>("run-questions", columns);
  const query = api.useQuery(
    "get",
    "/api/v1/runs/{run_id}/evaluations",
    {
      params: {
        path: { run_id: run.id },
        query: {
          after: table.page * LIMIT - 1,
          limit: LIMIT,
          failed_only: only === "failed",
          find: table.find,
          order: table.sort?.column === METRIC ? metric : NUMBER,
          is_descending: table.sort?.isDescending ?? false,
        },
      },
    },
    { placeholderData: keepPreviousData },
  );
  useArrival(query.data !== undefined, "questions");
  return (
    <div id="questions">
      <Panel title={label.questions}>
        {query.isPending && <Waiting height={160} />}
        {query.isError && <ProblemNotice error={query.error} onRetry={() => query.refetch()} />}
        {query.data && (
          <DataTable
            label={label.questions}
            columns={columns}
            rows={query.data.items}
            table={table}
            keyOf={({ evaluation }) => String(evaluation.number)}
            onOpen={(row) => navigate(openOf(run.id, row))}
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
  const metrics = api.useQuery("get", "/api/v1/metrics", {
    params: { query: { profile: run.config.profile } },
  });
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
        label={label.shown}
        size="xs"
        data={[...names]}
        value={metric}
        onChange={(event) => put({ metric: event.currentTarget.value })}
      />
      {(run.counts.failed > 0 || only) && (
        <Checkbox
          size="xs"
          pb={8}
          label={label.onlyFailed(formatCount(run.counts.failed))}
          checked={only === "failed"}
          onChange={(event) => put({ only: event.currentTarget.checked ? "failed" : undefined })}
        />
      )}
    </>
  );
}
