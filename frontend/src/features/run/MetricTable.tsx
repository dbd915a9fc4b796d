import { Text } from "@mantine/core";
import { api } from "@/api/client";
import type { ConfigurationResult, MetricInfo, Run } from "@/api/types";
import { MetricName } from "@/components/MetricName";
import { formatCount, formatDifference, formatScore } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { cell, Sheet } from "@/components/Sheet";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";

const label = words.run;

/** Means of a finished run do not change, and those of a large sweep take a while. */
const SETTLED_MS = 300_000;

type Means = Map<string, ConfigurationResult["metrics"][number]>;

/** The 24 columns of the run, beside those of its baseline. */
export function MetricTable({ run }: { run: Run }) {
  const scored = run.counts.scored > 0;
  const query = api.useQuery(
    "get",
    "/api/v1/sweeps/{sweep_id}/analysis",
    { params: { path: { sweep_id: run.sweep_id } } },
    { enabled: scored, ...(run.state === "finished" ? { staleTime: SETTLED_MS } : {}) },
  );
  const metrics = api.useQuery("get", "/api/v1/metrics", {
    params: { query: { profile: run.config.profile } },
  });
  const configurations = query.data?.configurations ?? [];
  const own = configurations.find(({ run_ids }) => run_ids.includes(run.id));
  const baseline = configurations.find(({ name }) => name === own?.comparison?.baseline);
  return (
    <Panel title={label.metrics}>
      {!scored && <Text c="var(--quiet)">{label.nothingScored}</Text>}
      {scored && query.isPending && <Waiting height={320} />}
      {query.isError && <ProblemNotice error={query.error} onRetry={() => query.refetch()} />}
      {own && (
        <>
          {own.run_ids.length > 1 && <Text size="sm">{label.together(own.run_ids.length)}</Text>}
          <Table
            own={own}
            baseline={baseline}
            infos={metrics.data?.items ?? []}
            profile={run.config.profile}
          />
        </>
      )}
    </Panel>
  );
}

interface TableProps {
  own: ConfigurationResult;
  baseline: ConfigurationResult | undefined;
  infos: MetricInfo[];
  profile: MetricInfo["profile"];
}

function Table({ own, baseline, infos, profile }: TableProps) {
  const byName = new Map(infos.map((info) => [info.name, info]));
  const before: Means = new Map(baseline?.metrics.map((mean) => [mean.metric, mean]));
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
          <th scope="col" className={cell.number}>
            {label.n}
          </th>
          <th scope="col">{label.missing}</th>
        </tr>
      </thead>
      <tbody>
        {own.metrics.map((row) => {
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
              <td className={cell.number}>{formatCount(row.n)}</td>
              <td>{missing(row.missing)}</td>
            </tr>
          );
        })}
      </tbody>
    </Sheet>
  );
}

/** How many answers have no value, and why. */
function missing(byReason: Record<string, number>): string {
  return Object.entries(byReason)
    .map(([reason, count]) => label.missingOf(formatCount(count), words.numbers.reason(reason)))
    .join(" ");
}
