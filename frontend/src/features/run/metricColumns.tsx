import type { MetricInfo, RunMetrics } from "@/api/types";
import { MetricName } from "@/components/MetricName";
import { formatCount, formatDifference, formatScore } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import type { Column } from "@/components/table/columns";
import { DistributionMark } from "@/figures/DistributionMark";
import { words } from "@/words";

const label = words.run;

export type Row = RunMetrics["metrics"][number];

interface Of {
  baseline: RunMetrics | undefined;
  infos: MetricInfo[];
  profile: MetricInfo["profile"];
}

/** Mean, baseline and distribution of a metric. */
export function metricColumns({ baseline, infos, profile }: Of): Column<Row>[] {
  const byName = new Map(infos.map((info) => [info.name, info]));
  return [
    {
      id: "metric",
      label: label.metric,
      cell: ({ metric }) => (
        <MetricName
          name={metric}
          profile={profile}
          info={byName.get(metric)}
          higherIsBetter={byName.get(metric)?.higher_is_better}
        />
      ),
      text: ({ metric }) => metric,
      by: ({ metric }) => metric,
    },
    figure("mean", label.mean, ({ mean }) => mean, formatScore),
    ...(baseline ? besideBaseline(baseline) : []),
    {
      id: "spread",
      label: label.spread,
      title: label.spreadHint,
      cell: (row) => <Spread row={row} />,
      text: ({ minimum, median, maximum }) =>
        [minimum, median, maximum].map((value) => value ?? "").join(" / "),
    },
    figure("n", label.n, ({ n }) => n, formatCount),
    {
      id: "missing",
      label: label.missing,
      cell: ({ missing }) => missingOf(missing),
      text: ({ missing }) => missingOf(missing),
    },
  ];
}

function figure(
  id: string,
  heading: string,
  pick: (row: Row) => number | null,
  format: (value: number) => string,
): Column<Row> {
  return {
    id,
    label: heading,
    isNumber: true,
    cell: (row) => <Num value={pick(row)} reason={Object.keys(row.missing)[0]} format={format} />,
    text: (row) => String(pick(row) ?? ""),
    by: pick,
  };
}

function besideBaseline({ name, metrics }: RunMetrics): Column<Row>[] {
  const before = new Map(metrics.map(({ metric, mean }) => [metric, mean]));
  const there = ({ metric }: Row) => before.get(metric) ?? null;
  return [
    figure("baseline", name, there, formatScore),
    figure(
      "difference",
      label.difference,
      (row) => {
        const base = there(row);
        return row.mean === null || base === null ? null : row.mean - base;
      },
      formatDifference,
    ),
  ];
}

/** Where the values lie, between the smallest and the largest possible. */
function Spread({ row }: { row: Row }) {
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
function missingOf(byReason: Record<string, number>): string {
  return Object.entries(byReason)
    .map(([reason, count]) => label.missingOf(formatCount(count), words.numbers.reason(reason)))
    .join(" ");
}
