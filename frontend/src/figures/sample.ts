import type { Figure } from "@/api/types";

type Row = Figure["series"][number]["rows"][number];

/** A row with nothing but what a test names. */
export function aRow(row: Partial<Row> & Pick<Row, "x" | "y">): Row {
  return {
    value: null,
    low: null,
    high: null,
    mark: "",
    n: null,
    p: null,
    label: "",
    highlights: [],
    ...row,
  };
}

/** A small figure of two models, for the tests. */
export function aFigure(changes: Partial<Figure> = {}): Figure {
  return {
    id: "cps",
    kind: "line",
    title: "CPS by threshold",
    x: { label: "Threshold", unit: "", scale: "number", domain: null, names: [] },
    y: { label: "CPS", unit: "", scale: "number", domain: null, names: [] },
    color: null,
    is_diverging: false,
    has_diagonal: false,
    has_frontier: false,
    is_sized: false,
    is_stepped: false,
    band: null,
    band_name: "",
    highlights: [],
    verticals: [],
    horizontals: [],
    beside: null,
    columns: [
      { field: "x", label: "Threshold", unit: "" },
      { field: "y", label: "CPS", unit: "" },
      { field: "p", label: "p", unit: "" },
      { field: "n", label: "n", unit: "" },
    ],
    series: [
      {
        name: "mistral",
        rows: [
          aRow({ x: 0.3, y: 0.5, low: 0.4, high: 0.6, mark: "**", p: 0.004, n: 1000 }),
          aRow({ x: 0.4, y: 0.61, low: 0.5, high: 0.7, mark: "ns", p: 0.4, n: 1000 }),
          aRow({ x: 0.5, y: null }),
        ],
        baseline: aRow({ x: 0, y: 0.55, n: 1000 }),
        is_filled: false,
      },
      {
        name: "orca, 2",
        rows: [aRow({ x: 0.3, y: 0.2 }), aRow({ x: 0.4, y: 0.3 })],
        baseline: null,
        is_filled: false,
      },
    ],
    notes: ["Relative to all runs."],
    ...changes,
  };
}
