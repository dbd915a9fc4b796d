import type { ReactNode } from "react";
import type { ConfigurationResult } from "@/api/types";
import {
  formatCount,
  formatDifference,
  formatP,
  formatPercent,
  formatScore,
  formatShare,
} from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { type Interval, IntervalMark } from "@/figures/IntervalMark";
import { words } from "@/words";

export type Group = "composite" | "gain" | "retrieval";

export interface Column {
  name: keyof typeof words.sweep.columns;
  group: Group;
  cell: (row: ConfigurationResult, range: Interval) => ReactNode;
}

const POINT = 0.01;

/** CPS in points: .01 is one point. */
function formatPoints(value: number): string {
  return formatDifference(value / POINT, 2);
}

function interval({ low, high }: Interval, format: (value: number) => string): string {
  return words.numbers.range(format(low), format(high));
}

/** Why a row has no comparison. */
function lacking(row: ConfigurationResult): string {
  if (row.is_baseline) return "baseline";
  return row.comparison?.reason ?? "no_baseline";
}

type Compared = NonNullable<ConfigurationResult["comparison"]>;

function compared(
  pick: (comparison: Compared) => number | null | undefined,
  format: (value: number) => string,
) {
  return (row: ConfigurationResult) => (
    <Num value={row.comparison && pick(row.comparison)} reason={lacking(row)} format={format} />
  );
}

function retrieved(
  pick: (retrieval: ConfigurationResult["retrieval"]) => number | null | undefined,
  format: (value: number) => string,
) {
  return ({ retrieval }: ConfigurationResult) => (
    <Num value={pick(retrieval)} reason={retrieval.reason} format={format} />
  );
}

function Gain({ row, range }: { row: ConfigurationResult; range: Interval }) {
  const { gain, ci } = row.comparison ?? {};
  if (gain == null || ci == null) return null;
  return <IntervalMark value={gain} interval={ci} range={range} label={interval(ci, formatPoints)} />;
}

function Significance({ row }: { row: ConfigurationResult }) {
  const { p_holm: p, stars } = row.comparison ?? {};
  const mark = stars?.startsWith("*") ? stars : "";
  return (
    <>
      <Num value={p} reason={lacking(row)} format={formatP} />
      <span aria-hidden="true" style={{ display: "inline-block", width: "1.8em", textAlign: "left" }}>
        {mark}
      </span>
    </>
  );
}

/** Questions in the composite; of how many and why the others are not, where some are left out. */
function Used({ row }: { row: ConfigurationResult }) {
  const { n, n_excluded, excluded } = row;
  if (n_excluded === 0) return <Num value={n} format={formatCount} />;
  const reasons = Object.entries(excluded).map(([reason, count]) =>
    words.run.missingOf(formatCount(count), words.numbers.reason(reason)),
  );
  const shown = words.sweeps.of(formatCount(n), formatCount(n + n_excluded));
  return <abbr title={reasons.join(" ")}>{shown}</abbr>;
}

/** The columns of the composite table, in order. */
export const COLUMNS: Column[] = [
  { name: "n", group: "composite", cell: (row) => <Used row={row} /> },
  {
    name: "cps",
    group: "composite",
    cell: (row) => <Num value={row.mean_cps} reason="no_rows" format={formatScore} />,
  },
  {
    name: "ci",
    group: "composite",
    cell: ({ ci }) =>
      ci ? interval(ci, formatScore) : <Num value={null} reason="too_few" format={formatScore} />,
  },
  {
    name: "cv",
    group: "composite",
    cell: (row) => <Num value={row.cv} reason="no_cv" format={formatScore} />,
  },
  {
    name: "tcps",
    group: "composite",
    cell: (row) => <Num value={row.tcps} reason="no_cv" format={formatScore} />,
  },
  { name: "gain", group: "gain", cell: compared(({ gain }) => gain, formatPoints) },
  { name: "gainFigure", group: "gain", cell: (row, range) => <Gain row={row} range={range} /> },
  {
    name: "improvement",
    group: "gain",
    cell: compared(({ improvement_pct }) => improvement_pct, formatPercent),
  },
  { name: "p", group: "gain", cell: compared(({ p }) => p, formatP) },
  { name: "pHolm", group: "gain", cell: (row) => <Significance row={row} /> },
  {
    name: "d",
    group: "gain",
    cell: compared(
      ({ cohens_d }) => cohens_d,
      (value) => formatScore(value, 2),
    ),
  },
  { name: "balance", group: "gain", cell: compared(({ balance }) => balance, formatDifference) },
  {
    name: "passages",
    group: "retrieval",
    cell: retrieved(
      ({ mean_passages }) => mean_passages,
      (value) => formatScore(value, 1),
    ),
  },
  { name: "coverage", group: "retrieval", cell: retrieved(({ coverage }) => coverage, formatShare) },
  { name: "hit", group: "retrieval", cell: retrieved(({ hit_rate }) => hit_rate, formatShare) },
  { name: "recall", group: "retrieval", cell: retrieved(({ recall }) => recall, formatScore) },
  { name: "precision", group: "retrieval", cell: retrieved(({ precision }) => precision, formatScore) },
  { name: "ndcg", group: "retrieval", cell: retrieved(({ ndcg }) => ndcg, formatScore) },
  { name: "abstention", group: "retrieval", cell: retrieved((of) => of.abstention_rate, formatShare) },
  { name: "failed", group: "retrieval", cell: (row) => <Num value={row.n_failed} format={formatCount} /> },
];
