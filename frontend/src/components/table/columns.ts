import type { ReactNode } from "react";

/** One column of a table: how a row shows in it, how it reads as text, and what it is sorted by. */
export interface Column<Row> {
  id: string;
  label: string;
  /** The whole name, where the label is a short one. */
  name?: string;
  /** What the column says, on hover. */
  title?: string;
  isNumber?: boolean;
  /** A text of some length: it may take several lines. */
  isText?: boolean;
  /** The first column, where it holds short names: it takes no more room than they need. */
  isNarrow?: boolean;
  /** What neighbouring columns have in common: it stands above them. */
  group?: string;
  cell: (row: Row) => ReactNode;
  /** As plain text: in the copied CSV, and for finding. */
  text: (row: Row) => string;
  /** What rows are compared by here; a column without it cannot be sorted by. */
  by?: (row: Row) => number | string | null | undefined;
  /** The server sorts by it, under this column's id. */
  isSorted?: boolean;
  /** Not shown until it is chosen. */
  isExtra?: boolean;
}

/** A column and a direction: `name`, or `-name` for the largest first. */
export interface Sort {
  column: string;
  isDescending: boolean;
}

export function readSort(text: string | undefined): Sort | null {
  if (!text) return null;
  return text.startsWith("-")
    ? { column: text.slice(1), isDescending: true }
    : { column: text, isDescending: false };
}

export function writeSort({ column, isDescending }: Sort): string {
  return isDescending ? `-${column}` : column;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** Rows in order; those without a value come last either way, and equal ones keep their places. */
export function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: Sort | null): Row[] {
  const by = columns.find(({ id }) => id === sort?.column)?.by;
  if (!by || !sort) return [...rows];
  const sign = sort.isDescending ? -1 : 1;
  return [...rows].sort((first, second) => {
    const [one, other] = [by(first), by(second)];
    if (one == null || other == null) return Number(one == null) - Number(other == null);
    if (typeof one === "number" && typeof other === "number") return sign * (one - other);
    return sign * collator.compare(String(one), String(other));
  });
}

/** Rows in which every word that is sought stands in some column. */
export function found<Row>(rows: readonly Row[], columns: readonly Column<Row>[], find: string): Row[] {
  const wanted = find.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [...rows];
  return rows.filter((row) => {
    const text = columns.map((column) => column.text(row).toLowerCase()).join("\n");
    return wanted.every((word) => text.includes(word));
  });
}

/** Neighbours of one group with what stands above them; a column without a group stands by itself. */
export function groupsOf<Row>(
  columns: readonly Column<Row>[],
): { group: string | null; columns: Column<Row>[] }[] {
  const groups: { group: string | null; columns: Column<Row>[] }[] = [];
  for (const column of columns) {
    const group = column.group ?? null;
    const last = groups.at(-1);
    if (last && group !== null && last.group === group) last.columns.push(column);
    else groups.push({ group, columns: [column] });
  }
  return groups;
}

/** A column's heading where nothing stands above it. */
export function headingOf<Row>({ group, label }: Column<Row>): string {
  return group === undefined ? label : `${group}: ${label}`;
}

/** The next sort of a column that is pressed: one way, the other, and the rows' own order again. */
export function nextSort<Row>(column: Column<Row>, sort: Sort | null): Sort | null {
  // Numbers are looked at from the largest, names from the first.
  const first = column.isNumber === true;
  if (sort?.column !== column.id) return { column: column.id, isDescending: first };
  return sort.isDescending === first ? { column: column.id, isDescending: !first } : null;
}

/** A cell as CSV wants it; a text that a spreadsheet would run as a formula is kept a text. */
function csvCell(text: string): string {
  const safe = /^[=+@\t\r]|^-(?![\d.])/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Lines of texts as CSV (RFC 4180). */
export function csvOf(lines: readonly (readonly string[])[]): string {
  return lines.map((line) => line.map(csvCell).join(",")).join("\r\n");
}
