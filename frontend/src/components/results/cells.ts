import type { NamedTable } from "@/api/types";
import {
  formatCount,
  formatDifference,
  formatP,
  formatPlain,
  formatScore,
  formatShare,
} from "@/components/numbers/format";
import { reasonOf } from "@/words/reasons";
import { FIGURES, type FigureName, formatOf, isFigure } from "./timings";

type Cell = NamedTable["table"]["rows"][number][number];
type Shown = NamedTable["columns"][number];

const FORMATS: Record<Shown["kind"], (value: number) => string> = {
  count: formatCount,
  p: formatP,
  threshold: formatPlain,
  percent: (value) => formatScore(value, 2),
  gain: (value) => formatDifference(value, 2),
  points: (value) => formatDifference(100 * value, 2),
  change: (value) => formatDifference(value, Math.abs(value) >= 100 ? 1 : 4),
  size: (value) => formatScore(100 * value, 2),
  share: formatShare,
  three: (value) => formatScore(value, 3),
  four: (value) => formatScore(value, Math.abs(value) >= 100 ? 1 : 4),
};

/** A cell as the server shows its column; what is measured of a `figure` has the unit of the figure. */
export function textOf(value: Cell, column: string, shown: Shown, figure: Cell = null): string | null {
  if (value === null || value === "") return null;
  if (typeof figure === "string" && isFigure(figure)) {
    const text = measured(value, column, figure);
    if (text) return text;
  }
  if (typeof value === "number") return FORMATS[shown.kind](value);
  if (column === "reason") return reasonOf(value).replace(/\.$/, "");
  return shown.words[value] ?? value;
}

/** A figure by its name, and its medians in its unit; of other columns nothing. */
function measured(value: NonNullable<Cell>, column: string, figure: FigureName): string | null {
  if (column === "figure") return FIGURES[figure][0];
  return typeof value === "number" && column.startsWith("median_") ? formatOf(figure)(value) : null;
}
