import type { ConfigurationResult, SweepAnalysis } from "@/api/types";
import { Hint } from "@/components/Hint";
import {
  formatCount,
  formatDifference,
  formatDuration,
  formatInterval,
  formatLevel,
  formatP,
  formatPercent,
  formatScore,
  formatShare,
} from "@/components/numbers/format";
import { CPS, formatGain } from "@/components/numbers/metricFormat";
import { Num } from "@/components/numbers/Num";
import type { QuestionSource } from "@/components/results/questionSources";
import type { Column } from "@/components/table";
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
  gain: [t("Gain in points"), t("CPS points above the baseline, paired by question; one point is .01")],
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
  agreement: [
    t("Agreement"),
    t(
      "Mean share of pairs of repetitions that are both correct or both wrong, by question. Correct means half of the scale or more.",
    ),
  ],
  flipped: [
    t("Inconsistent"),
    t("Share of questions that are correct in some repetitions and wrong in others"),
  ],
  allRight: [t("Correct in all repetitions"), t("Share of questions that are correct in all repetitions")],
} as const;

export type Row = ConfigurationResult;
export type Rule = Pick<SweepAnalysis["rule"], "primary" | "margin" | "alpha">;
type Compared = NonNullable<Row["comparison"]>;

/** The simultaneous interval of a gain in the primary metric; none where it is unbounded. */
export function intervalOf(row: Row | undefined): Interval | null {
  const { low, high } = row?.comparison?.judged ?? {};
  return low == null || high == null ? null : { low, high };
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
  rest: Partial<Column<Row>> = {},
) {
  const value = ({ retrieval }: Row) => pick(retrieval);
  return column(id, { value, reason: ({ retrieval }) => retrieval.reason, format, ...rest });
}

type Share = "coverage" | "abstention_rate" | "hit_rate";

const INTERVALS = {
  coverage: "coverage_ci",
  abstention_rate: "abstention_ci",
  hit_rate: "hit_rate_ci",
} as const;

/** A share of questions, whose interval is its explanation. */
function share(id: keyof typeof HEADINGS, name: Share) {
  return retrieved(id, ({ [name]: found }) => found, formatShare, {
    cell: ({ retrieval }) => {
      const { [name]: value, [INTERVALS[name]]: interval } = retrieval;
      if (value == null || !interval) return null;
      const [low, high] = [interval.low, interval.high].map((end) => formatShare(end));
      return (
        <Hint text={t("95 % CI {low} to {high}", { low: low ?? "", high: high ?? "" })}>
          {formatShare(value)}
        </Hint>
      );
    },
  });
}

function consistent(id: keyof typeof HEADINGS, pick: (found: NonNullable<Row["consistency"]>) => number) {
  return column(id, {
    value: ({ consistency }) => consistency && pick(consistency),
    reason: t("Each question was asked once."),
    format: formatShare,
  });
}

function oneDecimal(value: number): string {
  return formatScore(value, 1);
}

function Gain({ row, range, rule }: { row: Row; range: Interval; rule: Rule }) {
  const { gain, outcome } = row.comparison?.judged ?? {};
  const found = intervalOf(row);
  if (gain == null || found === null) return null;
  const ends = formatInterval(found, formatGain(rule.primary)) ?? "";
  return (
    <IntervalMark
      value={gain}
      interval={found}
      range={range}
      margin={rule.margin}
      isDecided={outcome !== "undecided"}
      label={ends}
      ends={ends}
    />
  );
}

/** The gain in the primary metric and its interval; of another metric than CPS also its mean. */
function judgedColumns(range: Interval, rule: Rule, changed: Pick<Column<Row>, "goal">): Column<Row>[] {
  const { primary } = rule;
  const level = formatLevel(rule.alpha);
  const gain = compared("gain", ({ judged }) => judged.gain, formatGain(primary), changed);
  const own: Column<Row>[] = [
    {
      id: "primary",
      label: primary,
      title: t("Mean of the primary metric"),
      // A judged column is not among the 24; the sign of a perplexity is reversed in the second.
      value: ({ metrics, mean_primary }) =>
        metrics.find(({ metric }) => metric === primary)?.mean ?? mean_primary,
      reason: "no_rows",
      format: formatScore,
    },
    {
      ...gain,
      label: t("{metric} gain", { metric: primary }),
      title: t("Mean improvement of {metric} over the baseline, paired by question; positive is better", {
        metric: primary,
      }),
    },
  ];
  return [
    ...(primary === CPS ? [gain] : own),
    {
      id: "gainFigure",
      label: t("Gain, {level} CI", { level }),
      value: (row) => formatInterval(intervalOf(row), formatGain(primary)),
      title: t(
        "The gain with its simultaneous {level} interval over all comparisons; the dashed line is no gain",
        { level },
      ),
      kind: "number",
      sort: "none",
      reason: lacking,
      cell: (row) => intervalOf(row) && <Gain row={row} range={range} rule={rule} />,
    },
  ];
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
  rule: Rule,
  behindOf: (row: Row) => QuestionSource | undefined,
): Column<Row>[] {
  const changed = { goal: (row: Row) => behindOf(row)?.changed };
  const extra = { isExtra: true } as const;
  const isCps = rule.primary === CPS;
  const cps = column("cps", { value: ({ mean_cps }) => mean_cps, reason: "no_rows", format: formatScore });
  const shown = [
    retrieved("passages", ({ mean_passages }) => mean_passages, oneDecimal),
    share("coverage", "coverage"),
    ...(isCps ? [cps] : []),
    ...judgedColumns(range, rule, changed),
    column("outcome", {
      value: ({ comparison }) => comparison && outcomeOf(comparison.judged.outcome),
      reason: lacking,
      cell: ({ comparison }) => comparison && <Outcome of={comparison.judged.outcome} />,
    }),
    share("abstention", "abstention_rate"),
    column("tokens", {
      value: ({ latency }) => latency.mean_prompt_tokens,
      reason: t("The model reports no tokens."),
      format: (value) => formatCount(Math.round(value)),
    }),
  ];
  const more = [
    ...(isCps ? [] : [cps]),
    column("n", { kind: "number", value: ({ n }) => n, cell: (row) => <Used row={row} /> }),
    column("ci", { kind: "number", sort: "none", value: ({ ci }) => formatInterval(ci), reason: "too_few" }),
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
    share("hit", "hit_rate"),
    retrieved("recall", ({ recall }) => recall, formatScore),
    retrieved("precision", ({ precision }) => precision, formatScore),
    retrieved("ndcg", ({ ndcg }) => ndcg, formatScore),
    consistent("agreement", ({ agreement }) => agreement),
    consistent("flipped", ({ flipped }) => flipped.value),
    consistent("allRight", ({ always_right }) => always_right.value),
    column("failed", {
      value: ({ n_failed }) => n_failed,
      format: formatCount,
      goal: (row) => behindOf(row)?.failed,
    }),
  ];
  return [...shown, ...more.map((each) => ({ ...each, ...extra }))];
}
