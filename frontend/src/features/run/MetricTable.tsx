import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { runQueries } from "@/api/runs";
import { systemQueries } from "@/api/system";
import type { MetricInfo, Run, RunMetrics } from "@/api/types";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { ServerText } from "@/components/ServerText";
import { DataTable } from "@/components/table";
import { t } from "@/words";
import { metricColumns } from "./metricColumns";

type Metrics = RunMetrics["metrics"];

/** Means and distributions of a run, if there is one. */
function useMetrics(id: string | null) {
  return useQuery({ ...runQueries.metrics(id ?? ""), enabled: id !== null });
}

/** The 24 columns of the run, beside those of its baseline. */
export function MetricTable({ run }: { run: Run }) {
  const scored = run.counts.scored > 0;
  const query = useMetrics(scored ? run.id : null);
  const own = query.data;
  const baseline = useMetrics(own?.baseline_id ?? null);
  const metrics = useQuery(systemQueries.metrics(run.config.profile));
  return (
    <Panel title={t("Metrics")}>
      {!scored && <Text c="var(--quiet)">{t("No scores yet.")}</Text>}
      {scored && <QueryState query={query} height={320} />}
      {own && (
        <>
          {own.run_ids.length > 1 && (
            <Text size="sm">
              {t("Means over {count, plural, one {# repetition} other {# repetitions}}.", {
                count: own.run_ids.length,
              })}
            </Text>
          )}
          {own.scoring?.map((line) => (
            <Text size="sm" key={line}>
              <ServerText text={line} />
            </Text>
          ))}
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
  return (
    <DataTable
      name="run-metrics"
      at="metrics"
      label={t("Metrics")}
      columns={metricColumns(of)}
      rows={metrics}
      keyOf={({ metric }) => metric}
    />
  );
}
