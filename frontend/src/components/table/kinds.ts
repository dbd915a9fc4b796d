import type { ReactNode } from "react";
import {
  formatBytes,
  formatCount,
  formatDifference,
  formatDuration,
  formatP,
  formatScore,
  formatShare,
} from "@/components/numbers/format";
import type { Column, Value } from "./columns";

/** Columns by what they hold. Each takes an id, a heading, the value of a row, and whatever else is true of it. */

export type Rest<Row> = Omit<Column<Row>, "id" | "label" | "value">;
export type Of<Row, Held> = (row: Row) => Held;

/** A name or a few words in one line, or what is shown by a format or a cell of its own. */
export function plainColumn<Row>(
  id: string,
  label: string,
  value: Of<Row, Value>,
  rest?: Rest<Row>,
): Column<Row> {
  return { id, label, value, ...rest };
}

/** A text that may take several lines. */
export function textColumn<Row>(
  id: string,
  label: string,
  value: Of<Row, Value>,
  rest?: Rest<Row>,
): Column<Row> {
  return { id, label, kind: "text", value, ...rest };
}

/** Numbers in one format. */
function numbers(format: (value: number) => string) {
  return <Row>(id: string, label: string, value: Of<Row, Value>, rest?: Rest<Row>): Column<Row> => ({
    id,
    label,
    value,
    format,
    ...rest,
  });
}

export const countColumn = numbers(formatCount);
export const scoreColumn = numbers(formatScore);
export const shareColumn = numbers(formatShare);
export const differenceColumn = numbers(formatDifference);
export const pColumn = numbers(formatP);
export const durationColumn = numbers(formatDuration);
export const bytesColumn = numbers(formatBytes);

/** Buttons: no value, so that nobody sorts by them and no copy has them. */
export function actColumn<Row>(
  id: string,
  label: string,
  cell: Of<Row, ReactNode>,
  rest?: Rest<Row>,
): Column<Row> {
  return { id, label, isAct: true, value: () => null, cell, ...rest };
}
