import type { CrossDomain, Figure } from "@/api/types";
import { words } from "@/words";

const label = words.crossing;
const HUNDRED = 100;

type Row = Figure["series"][number]["rows"][number];
type Axis = Figure["x"];

const axis = (text: string, of: Partial<Axis> = {}): Axis => ({
  label: text,
  unit: "",
  scale: "number",
  domain: null,
  ...of,
});
const row = (of: Pick<Row, "x" | "y"> & Partial<Row>): Row => ({
  value: null,
  low: null,
  high: null,
  mark: "",
  n: null,
  p: null,
  label: "",
  ...of,
});
const points = (value: number | null) => (value === null ? null : HUNDRED * value);

/** Stars of a p value, as everywhere: * .05, ** .01, *** .001. */
export function starsOf(p: number | null): string {
  if (p === null) return "";
  if (p < 0.001) return "***";
  if (p < 0.01) return "**";
  return p < 0.05 ? "*" : "ns";
}

/** What two domains show, drawn: gains at their best, where the gain differs, and which metrics moved. */
export function figuresOf(crossed: CrossDomain): Figure[] {
  return [bestGains(crossed), differences(crossed), moved(crossed)].filter(({ series }) =>
    series.some(({ rows }) => rows.length > 0),
  );
}

/** The largest gain of each model in each domain; on different constants they share no scale. */
function bestGains({ first, second, models, is_comparable }: CrossDomain): Figure {
  const cellOf = (item: CrossDomain["models"][number], side: "first" | "second", domain: string) =>
    row({
      x: domain,
      y: item.model,
      value: points(item[side].gain),
      n: item[side].n_questions,
      label: item[side].best_threshold === null ? "" : label.figures.at(String(item[side].best_threshold)),
    });
  return {
    id: "domains-best-gain",
    kind: "heatmap",
    title: label.figures.gain,
    x: axis(label.domain, { scale: "category" }),
    y: axis(label.model, { scale: "category" }),
    color: axis(label.figures.gainAxis, { unit: label.points }),
    is_diverging: true,
    has_diagonal: false,
    beside: null,
    columns: [
      { field: "y", label: label.model, unit: "" },
      { field: "x", label: label.domain, unit: "" },
      { field: "value", label: label.figures.gainAxis, unit: label.points },
      { field: "label", label: label.bestThreshold, unit: "" },
      { field: "n", label: "n", unit: "" },
    ],
    series: [
      {
        name: label.figures.gain,
        rows: is_comparable
          ? models.flatMap((item) => [cellOf(item, "first", first), cellOf(item, "second", second)])
          : [],
        baseline: null,
      },
    ],
    notes: [label.figures.gainNote],
  };
}

/** RQ3: first minus second, by threshold. */
function differences({ first, second, differences: found }: CrossDomain): Figure {
  const models = [...new Set(found.map(({ model }) => model))];
  return {
    id: "domains-difference",
    kind: "line",
    title: label.figures.difference(first, second),
    x: axis(label.threshold),
    y: axis(label.figures.differenceAxis, { unit: label.points }),
    color: null,
    is_diverging: true,
    has_diagonal: false,
    beside: null,
    columns: [
      { field: "x", label: label.threshold, unit: "" },
      { field: "y", label: label.figures.differenceAxis, unit: label.points },
      { field: "mark", label: label.figures.mark, unit: "" },
      { field: "p", label: label.maxT, unit: "" },
    ],
    series: models.map((name) => ({
      name,
      rows: found
        .filter(({ model }) => model === name)
        .map(({ threshold, difference, p_max_t: p }) =>
          row({ x: threshold, y: points(difference), p, mark: starsOf(p) }),
        ),
      baseline: null,
    })),
    notes: [label.figures.differenceNote],
  };
}

/** Rank correlations that differ most. */
function moved({ first, second, moved: found }: CrossDomain): Figure {
  return {
    id: "domains-moved",
    kind: "heatmap",
    title: label.moved,
    x: axis(label.domain, { scale: "category" }),
    y: axis(label.pair, { scale: "category" }),
    color: axis(label.rho, { domain: [-1, 1] }),
    is_diverging: true,
    has_diagonal: false,
    beside: null,
    columns: [
      { field: "y", label: label.pair, unit: "" },
      { field: "x", label: label.domain, unit: "" },
      { field: "value", label: label.rho, unit: "" },
    ],
    series: [
      {
        name: label.moved,
        rows: found.flatMap((item) => {
          const pair = `${item.metric} × ${item.other_metric}`;
          return [
            row({ x: first, y: pair, value: item.first }),
            row({ x: second, y: pair, value: item.second }),
          ];
        }),
        baseline: null,
      },
    ],
    notes: [label.figures.movedNote],
  };
}
