import type { ConfigurationResult } from "@/api/types";
import { Hint } from "@/components/Hint";
import {
  formatCount,
  formatDifference,
  formatDuration,
  formatP,
  formatPercent,
  formatScore,
  formatShare,
} from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import type { Behind } from "@/components/results/behind";
import type { Column } from "@/components/table/columns";
import { type Interval, IntervalMark } from "@/figures/IntervalMark";
import { t } from "@/words";
import { outcomeOf } from "@/words/outcomes";
import { reasonOf } from "@/words/reasons";
import classes from "./CompositeTable.module.css";

/** Short and long heading of each column. */
const HEADINGS = {
  n: [t("n"), t("Questions included in CPS")],
  cps: [
    t("CPS"),
    t("Composite Performance Score: weighted mean of the panel’s metrics, each scaled to [0, 1] in the pool"),
  ],
  ci: [t("95 % CI"), t("95 % confidence interval of mean CPS")],
  cv: [t("CV"), t("Coefficient of variation of CPS over the questions")],
  tcps: [t("T-CPS"), t("Mean CPS with a reward for low and a penalty for high variation")],
  gain: [t("Gain"), t("CPS points above the baseline, paired by question; one point is .01")],
  gainFigure: [
    t("Gain, 95 % CI"),
    t("The gain with its simultaneous 95 % interval over all comparisons; the dashed line is no gain"),
  ],
  improvement: [t("Improvement"), t("Gain in percent of the baseline’s CPS")],
  outcome: [
    t("Outcome"),
    t("Conclusion from the interval: better, worse, as good (not worse by the margin or more), or undecided"),
  ],
  p: [
    t("p, adjusted"),
    t("Adjusted for all comparisons by the simultaneous bootstrap; * .05, ** .01, *** .001"),
  ],
  d: [t("d"), t("Cohen’s d for paired samples")],
  balance: [t("Balance"), t("T-CPS gain divided by CV")],
  passages: [t("Passages"), t("Mean number of passages kept")],
  coverage: [t("Questions with passages"), t("Share of questions with at least one passage kept")],
  hit: [t("Hit rate"), t("Share of questions with at least one gold passage kept")],
  recall: [t("Recall"), t("Mean share of gold passages kept")],
  precision: [t("Precision"), t("Mean share of gold passages among those kept")],
  ndcg: [t("nDCG"), t("Normalised discounted cumulative gain of gold passages")],
  abstention: [t("Abstained"), t("Share of answers stating that the passages do not contain the answer")],
  tokens: [t("Tokens"), t("Mean prompt length in tokens, as the model server counts")],
  seconds: [t("Time"), t("Median time to generate an answer")],
  failed: [t("Failed"), t("Questions without an answer")],
} as const;

export type Row = ConfigurationResult;
type Compared = NonNullable<Row["comparison"]>;

const POINT = 0.01;

/** CPS in points: .01 is one point. */
function formatPoints(value: number): string {
  return formatDifference(value / POINT, 2);
}

function interval({ low, high }: Interval, format: (value: number) => string): string {
  return t("{low} to {high}", { low: format(low), high: format(high) });
}

/** Why a row has no comparison. */
function lacking(row: ConfigurationResult): string {
  if (row.is_baseline) return "baseline";
  return row.comparison?.judged.reason ?? row.comparison?.reason ?? "no_baseline";
}

/** A column under its short heading, with the long one as its explanation. */
function column(id: keyof typeof HEADINGS, rest: Omit<Column<Row>, "id" | "label" | "title">): Column<Row> {
  const [label, title] = HEADINGS[id];
  return { id, label, title, ...rest };
}

function compared(
  id: keyof typeof HEADINGS,
  pick: (comparison: Compared) => number | null | undefined,
  format: (value: number) => string,
  rest: Partial<Column<Row>> = {},
) {
  const value = ({ comparison }: Row) => comparison && pick(comparison);
  return column(id, { value, reason: lacking, format, ...rest });
}

function retrieved(
  id: keyof typeof HEADINGS,
  pick: (retrieval: Row["retrieval"]) => number | null | undefined,
  format: (value: number) => string,
) {
  const value = ({ retrieval }: Row) => pick(retrieval);
  return column(id, { value, reason: ({ retrieval }) => retrieval.reason, format });
}

function oneDecimal(value: number): string {
  return formatScore(value, 1);
}

function Gain({ row, range, margin }: { row: Row; range: Interval; margin: number }) {
  const { gain, ci } = row.comparison ?? {};
  if (gain == null || ci == null) return null;
  return (
    <IntervalMark
      value={gain}
      interval={ci}
      range={range}
      margin={margin}
      label={interval(ci, formatPoints)}
    />
  );
}

function Outcome({ of }: { of: Compared["judged"]["outcome"] }) {
  return (
    <span className={classes.outcome} data-outcome={of}>
      {outcomeOf(of)}
    </span>
  );
}

function Significance({ row }: { row: ConfigurationResult }) {
  const { judged, stars } = row.comparison ?? {};
  const mark = stars?.startsWith("*") ? stars : "";
  return (
    <>
      <Num value={judged?.p} reason={lacking(row)} format={formatP} />
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
    t("{count, number}: {reason}", { count, reason: reasonOf(reason) }),
  );
  const shown = t("{done, number} of {total, number}", { done: n, total: n + n_excluded });
  return <Hint text={reasons.join(" ")}>{shown}</Hint>;
}

/** The columns of the table of configurations, in order; `behindOf` says where a row's numbers lead. */
export function columnsOf(
  range: Interval,
  margin: number,
  behindOf: (row: Row) => Behind | undefined,
): Column<Row>[] {
  const changed = { goal: (row: Row) => behindOf(row)?.changed };
  const extra = { isExtra: true } as const;
  const shown = [
    retrieved("passages", ({ mean_passages }) => mean_passages, oneDecimal),
    retrieved("coverage", ({ coverage }) => coverage, formatShare),
    column("cps", { value: ({ mean_cps }) => mean_cps, reason: "no_rows", format: formatScore }),
    compared("gain", ({ gain }) => gain, formatPoints, changed),
    column("gainFigure", {
      kind: "number",
      sort: "none",
      value: ({ comparison }) => comparison?.ci && interval(comparison.ci, formatPoints),
      reason: lacking,
      cell: (row) => row.comparison?.ci && <Gain row={row} range={range} margin={margin} />,
    }),
    column("outcome", {
      value: ({ comparison }) => comparison && outcomeOf(comparison.judged.outcome),
      reason: lacking,
      cell: ({ comparison }) => comparison && <Outcome of={comparison.judged.outcome} />,
    }),
    retrieved("abstention", ({ abstention_rate }) => abstention_rate, formatShare),
    column("tokens", {
      value: ({ latency }) => latency.mean_prompt_tokens,
      reason: t("The model reports no tokens."),
      format: (value) => formatCount(Math.round(value)),
    }),
  ];
  const more = [
    column("n", { kind: "number", value: ({ n }) => n, cell: (row) => <Used row={row} /> }),
    column("ci", {
      kind: "number",
      sort: "none",
      value: ({ ci }) => ci && interval(ci, formatScore),
      reason: "too_few",
    }),
    column("cv", { value: ({ cv }) => cv, reason: "no_cv", format: formatScore }),
    column("tcps", { value: ({ tcps }) => tcps, reason: "no_cv", format: formatScore }),
    compared("improvement", ({ improvement_pct }) => improvement_pct, formatPercent, changed),
    compared("p", ({ judged }) => judged.p, formatP, { cell: (row) => <Significance row={row} /> }),
    compared(
      "d",
      ({ cohens_d }) => cohens_d,
      (value) => formatScore(value, 2),
    ),
    compared("balance", ({ balance }) => balance, formatDifference),
    column("seconds", {
      value: ({ latency }) => latency.median_s,
      reason: t("Not measured."),
      format: formatDuration,
    }),
    retrieved("hit", ({ hit_rate }) => hit_rate, formatShare),
    retrieved("recall", ({ recall }) => recall, formatScore),
    retrieved("precision", ({ precision }) => precision, formatScore),
    retrieved("ndcg", ({ ndcg }) => ndcg, formatScore),
    column("failed", {
      value: ({ n_failed }) => n_failed,
      format: formatCount,
      goal: (row) => behindOf(row)?.failed,
    }),
  ];
  return [...shown, ...more.map((each) => ({ ...each, ...extra }))];
}
