import type { Figure } from "@/api/types";
import { formatCount, formatP, formatPlain, formatScore } from "@/components/numbers/format";
import { t } from "@/words";

const ABOUT = {
  line: (y: string, x: string) => t("Line chart of {y} by {x}.", { y, x }),
  bar: (y: string, x: string) => t("Bar chart of {y} by {x}.", { y, x }),
  scatter: (y: string, x: string) => t("Scatter plot of {y} by {x}.", { y, x }),
  ranked: (y: string, x: string) => t("Dot plot of {y} by {x}, the largest first.", { y, x }),
  heatmap: (y: string, x: string) => t("Heat map of {y} by {x}.", { y, x }),
};

export type Row = Figure["series"][number]["rows"][number];
export type Field = Figure["columns"][number]["field"];
/** A row with its series' name; the baseline's is marked. */
export type Named = Row & { series: string; isBaseline: boolean };

/** Where a mark leads, as an address. */
export type HrefOf = (row: Named) => string | null;

/** Names of the series whose points are filled. The others are outlines, so that colour never says it alone. */
export function filledOf(figure: Figure): Set<string> {
  return new Set(figure.series.flatMap(({ name, is_filled }) => (is_filled ? [name] : [])));
}

/** All rows of a figure, those of each series after its baseline. */
export function namedRows(figure: Figure): Named[] {
  return figure.series.flatMap(({ name, rows, baseline }) => [
    ...(baseline ? [{ ...baseline, series: name, isBaseline: true }] : []),
    ...rows.map((row) => ({ ...row, series: name, isBaseline: false })),
  ]);
}

/** A name with its unit. */
export function heading({ label, unit }: { label: string; unit: string }): string {
  return unit ? `${label} (${unit})` : label;
}

/** How many decimals a value needs so that neighbours of this size are told apart; scores have 4. */
export function decimals(values: readonly (number | string | null | undefined)[]): number {
  const largest = Math.max(0, ...values.map((value) => (typeof value === "number" ? Math.abs(value) : 0)));
  if (largest >= 1000) return 0;
  if (largest >= 10) return 2;
  return 4;
}

/** The value in a cell of the figure as a table. */
export function plainOf(row: Named, field: Field): string | number | null {
  if (field === "highlights") return row.highlights.join(", ");
  return field === "x" && row.isBaseline ? t("baseline") : (row[field] ?? null);
}

/** One cell of the figure as a table; null where there is no value. */
export function cellOf(row: Named, field: Field, digits: number): string | null {
  const value = plainOf(row, field);
  if (value === null || value === "") return null;
  if (typeof value === "string") return value;
  if (field === "p") return formatP(value);
  if (field === "n") return formatCount(value);
  if (field === "x") return formatPlain(value);
  return formatScore(value, digits);
}

/** What a figure shows, in a sentence or two, for those who do not see it. */
export function describe(figure: Figure): string {
  const values = figure.series.flatMap(({ rows }) =>
    rows.map((row) => (figure.kind === "heatmap" ? row.value : row.y)),
  );
  const numbers = values.filter((value) => typeof value === "number");
  const measured = figure.kind === "heatmap" && figure.color ? figure.color : figure.y;
  const digits = decimals(numbers);
  const singled = namedRows(figure).filter(({ highlights }) => highlights.length > 0);
  const parts = [
    ABOUT[figure.kind](heading(measured), heading(figure.x)),
    t("Series: {names}.", { names: figure.series.map(({ name }) => name).join(", ") }),
    ...singled.map(({ label, highlights }) => `${label}: ${highlights.join(", ")}.`),
    numbers.length > 0
      ? t("Values range from {low} to {high}.", {
          low: formatScore(Math.min(...numbers), digits),
          high: formatScore(Math.max(...numbers), digits),
        })
      : t("No value."),
    t("The table contains all values."),
  ];
  return parts.join(" ");
}

/** The rows that no other row reaches in y at the same or a smaller x. */
export function frontier(rows: readonly Named[]): Named[] {
  let highest = Number.NEGATIVE_INFINITY;
  return [...rows]
    .sort((one, other) => Number(one.x) - Number(other.x) || Number(other.y) - Number(one.y))
    .filter(({ y }) => {
      const isHigher = Number(y) > highest;
      if (isHigher) highest = Number(y);
      return isHigher;
    });
}
