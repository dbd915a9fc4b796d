import type { Figure, NamedTable } from "@/api/types";
import type { Goal } from "./goals";

type Table = NamedTable["table"];
type Row = Figure["series"][number]["rows"][number];

/** One configuration of an analysis, and where its questions are. */
export interface QuestionSource {
  model: string;
  /** As tables call it; a sheet has none. */
  name: string | null;
  threshold: number | null;
  /** The study, where two are side by side. */
  domain?: string;
  isBaseline: boolean;
  questions: Goal;
  /** What changed beside the baseline. */
  changed?: Goal | undefined;
  failed?: Goal | undefined;
}

const BASELINE = "baseline";
/** Thresholds that went through a file or a drawing are the same within this. */
const NEAR = 1e-9;
/** Columns that tell how a configuration differs from its baseline. */
const CHANGES = new Set(["gain", "improvement_pct", "cps_improvement_pct", "tcps_improvement_pct"]);
const OTHER_THRESHOLD = /^best_.*threshold$/;

type Wanted = { model: unknown; name?: unknown; threshold?: unknown; domain?: unknown };

/** The configuration that is meant; none where several fit, or none does. */
export function foundIn(
  sources: readonly QuestionSource[],
  { model, name, threshold, domain }: Wanted,
): QuestionSource | undefined {
  const fitting = sources.filter((each) => {
    if (each.model !== model || (each.domain !== undefined && each.domain !== domain)) return false;
    if (typeof name === "string") return each.name === name;
    if (typeof threshold === "number") {
      return each.threshold !== null && !each.isBaseline && Math.abs(each.threshold - threshold) < NEAR;
    }
    return (threshold === null || threshold === BASELINE) && each.isBaseline;
  });
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Where the cells of a row lead, by their places: its configuration's questions, what changed, what failed. */
export function goalsOf(
  { columns }: Table,
  row: Table["rows"][number],
  sources: readonly QuestionSource[],
): Map<number, Goal> {
  const goals = new Map<number, Goal>();
  const value = (column: string) => row[columns.indexOf(column)];
  const [model, name, domain] = ["model", "name", "domain"].map(value);
  // A row of a model in a domain is about its best threshold, or the baseline where none gains.
  const threshold = value(domain === undefined ? "threshold" : "best_threshold");
  const own = foundIn(sources, { model, name, threshold, domain });
  if (own) goals.set(Math.max(0, columns.indexOf("model")), own.questions);
  const other = foundIn(sources, { model: value("other_model"), threshold });
  if (other) goals.set(columns.indexOf("other_model"), other.questions);
  columns.forEach((column, place) => {
    const cell = row[place];
    if (cell === null || cell === undefined) return;
    const best = OTHER_THRESHOLD.test(column) && foundIn(sources, { model, threshold: cell, domain });
    if (best) goals.set(place, best.questions);
    if (own?.changed && CHANGES.has(column)) goals.set(place, own.changed);
    if (own?.failed && column === "n_failed" && Number(cell) > 0) goals.set(place, own.failed);
  });
  return goals;
}

/** Where a mark of a figure leads; `series` is the name of the line or bars that it belongs to. */
export function goalOfMark(
  row: Pick<Row, "x" | "y" | "label"> & { series: string; isBaseline: boolean },
  sources: readonly QuestionSource[],
): Goal | undefined {
  const models = [...new Set(sources.map(({ model }) => model))];
  // A series may hold more than its model's name; a heat map has its models down the side.
  const model =
    models.find((known) => known === row.series || known === row.y) ??
    models.find((known) => row.series.startsWith(`${known}, `)) ??
    (models.length === 1 && row.label ? models[0] : undefined);
  if (model === undefined) return undefined;
  if (row.isBaseline) return foundIn(sources, { model, threshold: null })?.questions;
  const named = row.label ? foundIn(sources, { model, name: row.label }) : undefined;
  if (named) return named.questions;
  if (sources.some(({ name }) => name !== null)) return undefined;
  return foundIn(sources, { model, threshold: thresholdOf(row) })?.questions;
}

/** A sheet's threshold: along the axis, or in its label where the axis holds something else. */
function thresholdOf({ x, label }: Pick<Row, "x" | "label">): number | string | null {
  if (label === BASELINE) return null;
  const named = /^threshold (\d*\.?\d+)$/.exec(label)?.[1];
  return named === undefined ? x : Number(named);
}
