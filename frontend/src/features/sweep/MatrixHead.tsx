import type { ConfigurationResult, MatrixColumn, SweepAnalysis } from "@/api/types";
import { formatScore, NONE } from "@/components/numbers/format";
import { type Interval, sharedRange } from "@/figures/IntervalMark";
import { t } from "@/words";
import { outcomeOf } from "@/words/outcomes";
import { intervalOf } from "./columns";
import classes from "./Matrix.module.css";
import type { Scale } from "./matrixCell";
import type { MatrixView } from "./useMatrix";

type Outcome = NonNullable<ConfigurationResult["comparison"]>["judged"]["outcome"];

const MARKS: Record<Outcome, string> = {
  better: "▲",
  worse: "▼",
  as_good: "≈",
  undecided: "?",
  identical: "=",
};
const DIRECTIONS = { rise: "descending", fall: "ascending", lost: undefined, number: undefined } as const;
const STRIP_PX = 24;

interface Props {
  columns: MatrixColumn[];
  analysis: SweepAnalysis;
  view: MatrixView;
  scale: Scale;
}

/** Above each column its configuration, mean and outcome, and its gain's interval on one axis for all. */
export function MatrixHead({ columns, analysis, view, scale }: Props) {
  const of = new Map(analysis.configurations.map((row) => [row.run_ids[0], row]));
  const range = sharedRange(analysis.configurations.map(intervalOf));
  const several = new Set(columns.map(({ model }) => model)).size > 1;
  return (
    <div role="rowgroup" className={classes.head}>
      {several && <Models columns={columns} />}
      <div role="row" aria-rowindex={1} className={classes.headRow}>
        <div role="columnheader" className={classes.question}>
          {t("Question")}
        </div>
        <div
          role="columnheader"
          className={classes.fact}
          title={t("Configurations that lost the gold passage")}
        >
          {t("Lost")}
        </div>
        <div role="columnheader" className={classes.fact} title={t("Highest minus lowest score")}>
          {t("Spread")}
        </div>
        {columns.map((column) => (
          <Heading
            key={column.run_id}
            column={column}
            row={of.get(column.run_id)}
            view={view}
            scale={scale}
            range={range}
            title={t("Sort by the loss or gain of {name}", {
              name: several ? `${column.name}, ${column.model}` : column.name,
            })}
          />
        ))}
      </div>
    </div>
  );
}

/** The model over its columns, which come one after the other; their buttons name it for a screen reader. */
function Models({ columns }: { columns: readonly MatrixColumn[] }) {
  const models = [...new Set(columns.map(({ model }) => model))];
  return (
    <div aria-hidden="true" className={classes.headRow}>
      <div className={classes.beforeModels} />
      <div style={{ gridColumn: "span 2" }} />
      {models.map((model) => (
        <div
          key={model}
          className={classes.model}
          style={{ gridColumn: `span ${columns.filter((column) => column.model === model).length}` }}
        >
          <span title={model}>{model}</span>
        </div>
      ))}
    </div>
  );
}

interface HeadingProps {
  column: MatrixColumn;
  row: ConfigurationResult | undefined;
  view: MatrixView;
  scale: Scale;
  range: Interval;
  title: string;
}

/** A press sorts by the largest losses, another one by the largest gains, a third one as before. */
function Heading({ column, row, view, scale, range, title }: HeadingProps) {
  const { run_id, mean } = column;
  const sorted = view.of === run_id ? view.order : undefined;
  // Interval and outcome are those of the primary metric beside the sweep's own baseline.
  const isJudged = view.metric === view.primary && !view.baseline;
  const choose = () => {
    if (sorted === "rise") return view.change({ of: undefined, order: undefined });
    return view.change({ of: run_id, order: sorted === "fall" ? "rise" : "fall" });
  };
  return (
    <div
      role="columnheader"
      className={classes.heading}
      data-base={column.baseline === null || undefined}
      aria-sort={sorted && DIRECTIONS[sorted]}
    >
      {isJudged && <Tick row={row} range={range} />}
      <button type="button" onClick={choose} title={title}>
        <span className={classes.name}>{shortOf(row) ?? column.name}</span>
        <span className={classes.mean}>{mean == null ? NONE : formatScore(mean, scale.range ? 2 : 1)}</span>
        {column.baseline === null && <span className={classes.outcome}>{t("baseline")}</span>}
        {isJudged && <Outcome of={row?.comparison?.judged.outcome} />}
      </button>
    </div>
  );
}

/** A configuration in a narrow heading, where its threshold or k says it all. */
function shortOf(row: ConfigurationResult | undefined): string | null {
  if (row?.threshold != null) return `≥ ${formatScore(row.threshold, 2)}`;
  return row?.k != null && row.is_baseline ? t("Top-k {k, number}", { k: row.k }) : null;
}

function Outcome({ of }: { of: Outcome | undefined }) {
  if (!of) return null;
  return (
    <span className={classes.outcome} data-outcome={of}>
      <span aria-hidden="true">{MARKS[of]}</span> {outcomeOf(of)}
    </span>
  );
}

/** The interval of a gain, upright; the line across is no gain. */
function Tick({ row, range }: { row: ConfigurationResult | undefined; range: Interval }) {
  const gain = row?.comparison?.judged.gain;
  const ci = intervalOf(row);
  const y = (value: number) => ((range.high - value) / (range.high - range.low)) * STRIP_PX;
  return (
    <svg
      aria-hidden="true"
      className={classes.tick}
      viewBox={`0 0 10 ${STRIP_PX}`}
      preserveAspectRatio="none"
    >
      <line x1={0} x2={10} y1={y(0)} y2={y(0)} className={classes.zero} />
      {gain != null && ci != null && (
        <>
          <line x1={5} x2={5} y1={y(ci.high)} y2={y(ci.low)} className={classes.span} />
          <line x1={3} x2={7} y1={y(gain)} y2={y(gain)} className={classes.span} />
        </>
      )}
    </svg>
  );
}
