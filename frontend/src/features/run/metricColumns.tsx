import type { MetricInfo, RunMetrics } from "@/api/types";
import { MetricName } from "@/components/MetricName";
import { formatCount, formatDifference, formatScore } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { type Column, plainColumn } from "@/components/table";
import { DistributionMark } from "@/figures/DistributionMark";
import { t } from "@/words";
import { reasonOf } from "@/words/reasons";

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
    plainColumn("metric", t("Metric"), ({ metric }) => metric, {
      cell: ({ metric }) => (
        <MetricName name={metric} profile={profile} higherIsBetter={byName.get(metric)?.higher_is_better} />
      ),
      note: ({ notes, n }) =>
        notes?.meteor_exact &&
        t("METEOR (exact) in {exact, number} of {count, number}", { exact: notes.meteor_exact, count: n }),
    }),
    figure("mean", t("Mean"), ({ mean }) => mean, formatScore),
    ...(baseline ? besideBaseline(baseline) : []),
    {
      id: "spread",
      label: t("Distribution"),
      value: ({ minimum, median, maximum }) =>
        [minimum, median, maximum].map((value) => value ?? "").join(" / "),
      title: t(
        "Scale from the smallest (left) to the largest (right) possible value; the line marks the median",
      ),
      sort: "none",
      cell: (row) => <Spread row={row} />,
    },
    figure("n", t("n"), ({ n }) => n, formatCount),
    plainColumn("missing", t("Missing"), ({ missing }) => missingOf(missing)),
  ];
}

function figure(
  id: string,
  heading: string,
  value: (row: Row) => number | null,
  format: (value: number) => string,
): Column<Row> {
  return plainColumn(id, heading, value, { reason: ({ missing }) => Object.keys(missing)[0], format });
}

function besideBaseline({ name, metrics }: RunMetrics): Column<Row>[] {
  const before = new Map(metrics.map(({ metric, mean }) => [metric, mean]));
  const there = ({ metric }: Row) => before.get(metric) ?? null;
  const difference = (row: Row) => {
    const base = there(row);
    return row.mean === null || base === null ? null : row.mean - base;
  };
  return [
    figure("baseline", name, there, formatScore),
    figure("difference", t("Difference"), difference, formatDifference),
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
      label={t("minimum {least}, median {half}, maximum {most}", {
        least: least ?? "",
        half: half ?? "",
        most: most ?? "",
      })}
    />
  );
}

/** How many answers have no value, and why. */
function missingOf(byReason: Record<string, number>): string {
  return Object.entries(byReason)
    .map(([reason, count]) => t("{count, number}: {reason}", { count, reason: reasonOf(reason) }))
    .join(" ");
}
