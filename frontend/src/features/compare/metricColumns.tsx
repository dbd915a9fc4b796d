import { Text } from "@mantine/core";
import type { RunComparison } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { formatCount, formatDifference, formatP, formatScore } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import type { Column } from "@/components/table/columns";
import { IntervalMark, sharedRange } from "@/figures/IntervalMark";
import { words } from "@/words";

const label = words.compare;

export type Metric = RunComparison["metrics"][number];
type Difference = Metric["differences"][number];

interface Of {
  comparison: RunComparison;
  /** Whether less of the metric is better. */
  isLower: (metric: string) => boolean;
}

/** A metric's mean in every run, then the paired difference of each run from the baseline. */
export function metricColumns({ comparison: { runs, baseline }, isLower }: Of): Column<Metric>[] {
  const others = runs.filter(({ id }) => id !== baseline);
  return [
    {
      id: "metric",
      label: label.metric,
      isNarrow: true,
      cell: (row) => <Name metric={row.metric} isLower={isLower(row.metric)} />,
      text: ({ metric }) => metric,
      by: ({ metric }) => metric,
    },
    ...runs.map(({ id, name }) => meanColumn(id, name, id === baseline)),
    ...others.flatMap(({ id, name }) => differenceColumns(id, `${label.difference}: ${name}`)),
  ];
}

function Name({ metric, isLower }: { metric: string; isLower: boolean }) {
  return (
    <>
      <AnchorLink
        to="."
        search={(search: object) => ({ ...search, metric, changedPage: undefined })}
        hash="changed"
        size="sm"
        resetScroll={false}
      >
        {metric}
      </AnchorLink>
      {isLower && (
        <Text span size="xs" c="var(--quiet)" ml={6}>
          {label.lower}
        </Text>
      )}
    </>
  );
}

function meanColumn(id: string, name: string, isBaseline: boolean): Column<Metric> {
  const of = ({ means }: Metric) => means.find(({ run_id }) => run_id === id);
  return {
    id,
    label: isBaseline ? `${name} (${words.sweep.baseline})` : name,
    isNumber: true,
    cell: (row) => {
      const found = of(row);
      return (
        <>
          <Num value={found?.mean} reason="no_rows" format={formatScore} />
          <Text size="xs" c="var(--quiet)" title={label.missingOf(formatCount(found?.n_missing ?? 0))}>
            {label.meanOf(formatCount(found?.n ?? 0))}
          </Text>
        </>
      );
    },
    text: (row) => String(of(row)?.mean ?? ""),
    by: (row) => of(row)?.mean,
  };
}

function differenceColumns(id: string, group: string): Column<Metric>[] {
  const of = ({ differences }: Metric) => differences.find(({ run_id }) => run_id === id);
  const figure = (
    name: string,
    title: string,
    pick: (found: Difference) => number | null,
    format: (value: number) => string,
  ): Column<Metric> => ({
    id: `${id}-${name}`,
    group,
    label: name,
    title,
    isNumber: true,
    cell: (row) => {
      const found = of(row);
      return <Num value={found && pick(found)} reason={found?.reason} format={format} />;
    },
    text: (row) => {
      const found = of(row);
      return String((found && pick(found)) ?? "");
    },
    by: (row) => {
      const found = of(row);
      return found && pick(found);
    },
  });
  return [
    figure(label.difference, label.differenceTitle, ({ difference }) => difference, formatDifference),
    {
      id: `${id}-interval`,
      group,
      label: label.interval,
      cell: (row) => <Range found={of(row)} metric={row.metric} />,
      text: (row) => {
        const ci = of(row)?.ci;
        return ci ? words.numbers.range(String(ci.low), String(ci.high)) : "";
      },
    },
    {
      ...figure(label.p, label.pTitle, ({ p_holm }) => p_holm, formatP),
      cell: (row) => <P found={of(row)} />,
    },
    figure(
      label.d,
      label.dTitle,
      ({ cohens_d }) => cohens_d,
      (value) => formatDifference(value, 2),
    ),
    figure(label.pairs, label.pairsTitle, ({ n_pairs }) => n_pairs, formatCount),
  ];
}

function Range({ found, metric }: { found: Difference | undefined; metric: string }) {
  const { ci, difference } = found ?? {};
  if (!ci || difference == null) return null;
  const text = words.numbers.range(formatDifference(ci.low), formatDifference(ci.high));
  return (
    <>
      <IntervalMark value={difference} interval={ci} range={sharedRange([ci])} label={`${metric}: ${text}`} />
      <Text size="xs" c="var(--quiet)" aria-hidden="true">
        {text}
      </Text>
    </>
  );
}

function P({ found }: { found: Difference | undefined }) {
  return (
    <>
      <Num value={found?.p_holm} reason={found?.reason} format={formatP} />
      {found?.stars.startsWith("*") && <span aria-hidden="true"> {found.stars}</span>}
    </>
  );
}
