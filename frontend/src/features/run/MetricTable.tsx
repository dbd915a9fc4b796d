import { Text } from "@mantine/core";
import { api } from "@/api/client";
import type { MetricInfo, Run, RunMetrics } from "@/api/types";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { DataTable } from "@/components/table/DataTable";
import { useTable } from "@/components/table/useTable";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { metricColumns, type Row } from "./metricColumns";

const label = words.run;

/** Means of a finished run do not change. */
const SETTLED_MS = 300_000;

type Metrics = RunMetrics["metrics"];

/** Means and distributions of a run; of none, nothing is asked. */
function useMetrics(id: string | null, isSettled: boolean) {
  return api.useQuery(
    "get",
    "/api/v1/runs/{run_id}/metrics",
    { params: { path: { run_id: id ?? "" } } },
    { enabled: id !== null, ...(isSettled ? { staleTime: SETTLED_MS } : {}) },
  );
}

/** The 24 columns of the run, beside those of its baseline. */
export function MetricTable({ run }: { run: Run }) {
  const scored = run.counts.scored > 0;
  const isSettled = run.state === "finished";
  const query = useMetrics(scored ? run.id : null, isSettled);
  const own = query.data;
  const baseline = useMetrics(own?.baseline_id ?? null, isSettled);
  const metrics = api.useQuery("get", "/api/v1/metrics", {
    params: { query: { profile: run.config.profile } },
  });
  return (
    <Panel title={label.metrics}>
      {!scored && <Text c="var(--quiet)">{label.nothingScored}</Text>}
      {scored && query.isPending && <Waiting height={320} />}
      {query.isError && <ProblemNotice error={query.error} onRetry={() => query.refetch()} />}
      {own && (
        <>
          {own.run_ids.length > 1 && <Text size="sm">{label.together(own.run_ids.length)}</Text>}
          <Table
            metrics={own.metrics}
            baseline={baseline.data}
            infos={metrics.data?.items ?? []}
            profile={run.config.profile}
          />
        </>
      )}
    </Panel>
  );
}

interface TableProps {
  metrics: Metrics;
  baseline: RunMetrics | undefined;
  infos: MetricInfo[];
  profile: MetricInfo["profile"];
}

function Table({ metrics, ...of }: TableProps) {
  const columns = metricColumns(of);
  const table = useTable<Row>("run-metrics", columns, { key: "metrics" });
  return (
    <DataTable
      label={label.metrics}
      columns={columns}
      rows={metrics}
      table={table}
      keyOf={({ metric }) => metric}
    />
  );
}
