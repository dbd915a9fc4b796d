import type { ReactNode } from "react";
import type { Goal } from "@/components/results/goals";

export type Value = string | number | null | undefined;

/** One column of a table, as data: what a row's value is, and how it is shown where the value alone does not say it. */
export interface Column<Row> {
  id: string;
  label: string;
  /** The whole name, where the label is a short one. */
  name?: string;
  /** Description of the column. */
  title?: string;
  /** Common heading above neighbouring columns. */
  group?: string;
  /** What is copied, searched and sorted by; null where there is none. */
  value: (row: Row) => Value;
  /** How a number is written; it makes a column of numbers. */
  format?: (value: number) => string;
  /** Why there is no value: a key of the closed list, or a sentence. */
  reason?: string | ((row: Row) => string | null | undefined);
  /** What is shown, where that is more than the value; null leaves it to the value. */
  cell?: (row: Row) => ReactNode;
  /** A quiet line below. */
  note?: (row: Row) => ReactNode;
  /** The questions behind the value. */
  goal?: (row: Row) => Goal | undefined;
  /** `text` may take several lines. */
  kind?: "number" | "text";
  /** Rows of a paged table are sorted by the server, under this column's id; `none`: nobody sorts by it. */
  sort?: "server" | "none";
  /** Not shown until it is chosen: never, or where the window is narrower than a laptop's. */
  isExtra?: boolean | "narrow";
  /** Buttons: no value, so that nobody sorts by it and no copy has it. */
  isAct?: boolean;
  /** What is copied, where it is fetched row by row and no value is known before. */
  copied?: (rows: readonly Row[]) => Promise<readonly Value[]>;
}

export function isNumber<Row>({ format, kind }: Column<Row>): boolean {
  return format !== undefined || kind === "number";
}

/** A column's heading if its group is not shown above it. */
export function headingOf<Row>({ group, label }: Column<Row>): string {
  return group === undefined ? label : `${group}: ${label}`;
}

/** Whether a group begins at a place among the columns shown. */
export function startsGroup<Row>(columns: readonly Column<Row>[], place: number): boolean {
  const group = columns[place]?.group;
  return group !== undefined && group !== columns[place - 1]?.group;
}

/** A text by which rows are found: lower case of any script (İ, Σ at the end of a word), full and half width alike. */
function foldedText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("i\u0307", "i")
    .replaceAll("ı", "i")
    .replaceAll("ς", "σ");
}

/** Rows in which every search word occurs in some column. */
export function found<Row>(rows: readonly Row[], columns: readonly Column<Row>[], find: string): Row[] {
  const wanted = foldedText(find).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [...rows];
  return rows.filter((row) => {
    const text = columns.map(({ value }) => foldedText(String(value(row) ?? ""))).join("\n");
    return wanted.every((word) => text.includes(word));
  });
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** Numbers by size, texts as a reader would; what has no value is not compared. */
export function compare(one: Value, other: Value): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return collator.compare(String(one), String(other));
}
