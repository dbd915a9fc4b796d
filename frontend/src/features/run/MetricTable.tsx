import { Text } from "@mantine/core";
import { api } from "@/api/client";
import type { MetricInfo, Run, RunMetrics } from "@/api/types";
import { MetricName } from "@/components/MetricName";
import { formatCount, formatDifference, formatScore } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { cell, Sheet } from "@/components/Sheet";
import { Waiting } from "@/components/Waiting";
import { DistributionMark } from "@/figures/DistributionMark";
import { words } from "@/words";

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

function Table({ metrics, baseline, infos, profile }: TableProps) {
  const byName = new Map(infos.map((info) => [info.name, info]));
  const before = new Map(baseline?.metrics.map((mean) => [mean.metric, mean]));
  return (
    <Sheet label={label.metrics} pinned>
      <thead>
        <tr>
          <th scope="col">{label.metric}</th>
          <th scope="col" className={cell.number}>
            {label.mean}
          </th>
          {baseline && (
            <>
              <th scope="col" className={cell.number}>
                {baseline.name}
              </th>
              <th scope="col" className={cell.number}>
                {label.difference}
              </th>
            </>
          )}
          <th scope="col">
            <abbr title={label.spreadHint}>{label.spread}</abbr>
          </th>
          <th scope="col" className={cell.number}>
            {label.n}
          </th>
          <th scope="col">{label.missing}</th>
        </tr>
      </thead>
      <tbody>
        {metrics.map((row) => {
          const there = before.get(row.metric)?.mean ?? null;
          const reason = Object.keys(row.missing)[0];
          return (
            <tr key={row.metric}>
              <th scope="row">
                <MetricName
                  name={row.metric}
                  profile={profile}
                  info={byName.get(row.metric)}
                  higherIsBetter={byName.get(row.metric)?.higher_is_better}
                />
              </th>
              <td className={cell.number}>
                <Num value={row.mean} reason={reason} format={formatScore} />
              </td>
              {baseline && (
                <>
                  <td className={cell.number}>
                    <Num value={there} reason={reason} format={formatScore} />
                  </td>
                  <td className={cell.number}>
                    <Num
                      value={row.mean === null || there === null ? null : row.mean - there}
                      reason={reason}
                      format={formatDifference}
                    />
                  </td>
                </>
              )}
              <td>
                <Spread row={row} />
              </td>
              <td className={cell.number}>{formatCount(row.n)}</td>
              <td>{missing(row.missing)}</td>
            </tr>
          );
        })}
      </tbody>
    </Sheet>
  );
}

/** Where the values lie, between the smallest and the largest possible. */
function Spread({ row }: { row: Metrics[number] }) {
  const { minimum, median, maximum, low, high } = row;
  if (minimum == null || median == null || maximum == null || low == null || high == null) {
    return <Num value={null} reason={Object.keys(row.missing)[0]} format={formatScore} />;
  }
  const [least, half, most] = [minimum, median, maximum].map((value) => formatScore(value));
  return (
    <DistributionMark
      bins={row.bins}
      median={(median - low) / (high - low || 1)}
      label={label.spreadOf({ least: least ?? "", half: half ?? "", most: most ?? "" })}
    />
  );
}

/** How many answers have no value, and why. */
function missing(byReason: Record<string, number>): string {
  return Object.entries(byReason)
    .map(([reason, count]) => label.missingOf(formatCount(count), words.numbers.reason(reason)))
    .join(" ");
}
