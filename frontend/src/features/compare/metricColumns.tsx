import type { MetricInfo, RunComparison } from "@/api/types";
import { Hint } from "@/components/Hint";
import { SmallLink } from "@/components/links";
import { AboutMetric } from "@/components/MetricName";
import { formatCount, formatDifference, formatInterval, formatP } from "@/components/numbers/format";
import { formatGain, isInPoints } from "@/components/numbers/metricFormat";
import { Num } from "@/components/numbers/Num";
import { Quiet } from "@/components/Quiet";
import { type Column, plainColumn, scoreColumn } from "@/components/table";
import { IntervalMark, sharedRange } from "@/figures/IntervalMark";
import { t } from "@/words";

export type Metric = RunComparison["metrics"][number];
type Difference = Metric["differences"][number];

interface Of {
  comparison: RunComparison;
  /** What is known of the metrics; of CPS nothing is. */
  infos: readonly MetricInfo[];
}

/** A metric's mean in every run, then the paired difference of each run from the baseline. */
export function metricColumns({ comparison: { runs, baseline, pool }, infos }: Of): Column<Metric>[] {
  const known = new Map(infos.map((info) => [info.name, info]));
  const others = runs.filter(({ id }) => id !== baseline);
  return [
    plainColumn("metric", t("Metric"), ({ metric }) => metric, {
      cell: ({ metric }) => <Name metric={metric} info={known.get(metric)} />,
      // A CPS of other runs is another number: on the pages of their sweeps these runs have other ones.
      note: ({ metric }) => metric === "CPS" && pool === "runs" && t("relative to these runs only"),
    }),
    ...runs.map(({ id, name }) => meanColumn(id, name, id === baseline)),
    ...others.flatMap(({ id, name }) =>
      differenceColumns(id, `${t("Difference")}: ${name}`, others.length > 1),
    ),
  ];
}

/** A metric's name, which leads to the questions that changed most in it, and its card. */
function Name({ metric, info }: { metric: string; info: MetricInfo | undefined }) {
  return (
    <>
      <SmallLink
        to="."
        search={(search: object) => ({ ...search, metric, changedPage: undefined })}
        hash="changed"
        resetScroll={false}
      >
        {metric}
      </SmallLink>
      {info && <AboutMetric name={metric} profile={info.profile} />}
      {info?.higher_is_better === false && (
        <Quiet span size="xs" ml={6}>
          {t("lower is better")}
        </Quiet>
      )}
    </>
  );
}

function meanColumn(id: string, name: string, isBaseline: boolean): Column<Metric> {
  const of = ({ means }: Metric) => means.find(({ run_id }) => run_id === id);
  return scoreColumn(id, isBaseline ? `${name} (${t("baseline")})` : name, (row) => of(row)?.mean, {
    reason: "no_rows",
    note: (row) => {
      const { n = 0, n_missing = 0 } = of(row) ?? {};
      return (
        <Hint text={t("{n, number} without a value", { n: n_missing })}>{t("n = {n, number}", { n })}</Hint>
      );
    },
  });
}

/** `isNarrow`: beside another comparison there is room for the difference, its interval and its p only. */
function differenceColumns(id: string, group: string, isNarrow: boolean): Column<Metric>[] {
  const of = ({ differences }: Metric) => differences.find(({ run_id }) => run_id === id);
  const figure = (
    name: string,
    title: string,
    pick: (found: Difference) => number | null,
    format: (value: number) => string,
  ): Column<Metric> => ({
    id: `${id}-${name}`,
    label: name,
    value: (row) => {
      const found = of(row);
      return found && pick(found);
    },
    group,
    title,
    reason: (row) => of(row)?.reason,
    format,
  });
  const extra = (name: string, title: string, pick: (found: Difference) => number): Column<Metric> => ({
    ...figure(name, title, pick, formatCount),
    isExtra: true,
  });
  return [
    {
      ...figure(
        t("Difference"),
        t("Mean paired difference: run − baseline; of CPS in points of .01"),
        ({ difference }) => difference,
        formatDifference,
      ),
      cell: (row) => (
        <Num value={of(row)?.difference} reason={of(row)?.reason} format={formatGain(row.metric)} />
      ),
      note: (row) => isInPoints(row.metric) && of(row)?.difference != null && t("points"),
    },
    {
      id: `${id}-interval`,
      label: t("95 % CI"),
      value: (row) => formatInterval(of(row)?.ci, String) ?? "",
      group,
      title: t("Simultaneous over all comparisons; it excludes 0 exactly where p is at most .05"),
      sort: "none",
      cell: (row) => <Range found={of(row)} metric={row.metric} />,
    },
    {
      ...figure(
        t("p, adjusted"),
        t("By the bootstrap over questions, as in verdicts; * .05, ** .01, *** .001"),
        ({ p }) => p,
        formatP,
      ),
      cell: (row) => <P found={of(row)} />,
    },
    {
      ...figure(
        t("d"),
        t("Cohen’s d for paired samples"),
        ({ cohens_d }) => cohens_d,
        (value) => formatDifference(value, 2),
      ),
      isExtra: isNarrow,
    },
    {
      ...figure(t("n"), t("Questions with a value in both runs"), ({ n_pairs }) => n_pairs, formatCount),
      isExtra: isNarrow,
    },
    extra(t("Improved"), t("Questions in which the run is better"), ({ n_improved }) => n_improved),
    extra(t("Worse"), t("Questions in which the run is worse"), ({ n_worse }) => n_worse),
    extra(
      t("Same"),
      t("Questions with equal values"),
      ({ n_pairs, n_improved, n_worse }) => n_pairs - n_improved - n_worse,
    ),
  ];
}

function Range({ found, metric }: { found: Difference | undefined; metric: string }) {
  const { ci, difference } = found ?? {};
  if (!ci || difference == null) return null;
  const text = formatInterval(ci, formatGain(metric)) ?? "";
  return (
    <>
      <IntervalMark
        value={difference}
        interval={ci}
        range={sharedRange([ci])}
        label={`${metric}: ${text}`}
        isDecided={isDecided(found)}
      />
      <Quiet size="xs" aria-hidden="true">
        {text}
      </Quiet>
    </>
  );
}

/** Whether the interval of a difference excludes 0, all comparisons taken together. */
export function isDecided(found: Pick<Difference, "stars"> | undefined): boolean {
  return found?.stars.startsWith("*") ?? false;
}

function P({ found }: { found: Difference | undefined }) {
  return (
    <>
      <Num value={found?.p} reason={found?.reason} format={formatP} />
      {isDecided(found) && <span aria-hidden="true"> {found?.stars}</span>}
    </>
  );
}
