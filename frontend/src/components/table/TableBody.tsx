import clsx from "clsx";
import { type KeyboardEvent, lazy, Suspense } from "react";
import { needed } from "@/api/chunks";
import classes from "./Table.module.css";
import { type LineProps, TableLine } from "./TableLine";
import type { Line } from "./useRows";

/** More rows than this are drawn only where they are seen. */
export const MANY = 100;
const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
/** Drawing a part of the rows comes with the first long table. */
const LongRows = lazy(needed(() => import("./LongRows")));

export interface BodyProps<Row extends object> extends Omit<LineProps<Row>, "line" | "place" | "measure"> {
  lines: Line<Row>[];
  frame: HTMLDivElement | null;
}
/** The rows; of a long table those in view and a few around them. */
export function TableBody<Row extends object>({ isDense, ...of }: BodyProps<Row> & { isDense: boolean }) {
  return (
    <tbody className={clsx(isDense && classes.dense)} onKeyDown={step}>
      {of.lines.length > MANY ? (
        <Suspense>
          <LongRows {...(of as object as BodyProps<object>)} />
        </Suspense>
      ) : (
        of.lines.map((line) => <TableLine key={line.id} line={line} {...of} />)
      )}
    </tbody>
  );
}

/** An arrow goes from a link or a box to the one in the same place of the next row. */
function step(event: KeyboardEvent<HTMLTableSectionElement>) {
  const by = STEPS[event.key];
  const { target } = event;
  if (by === undefined || !(target instanceof HTMLElement) || target.matches("input:not([type=checkbox])"))
    return;
  const row = target.closest("tr");
  const cells = [...(row?.cells ?? [])];
  const place = cells.findIndex((cell) => cell.contains(target));
  const next = by > 0 ? row?.nextElementSibling : row?.previousElementSibling;
  if (!(next instanceof HTMLTableRowElement)) return;
  const kind = target.tagName.toLowerCase();
  const goal = next.cells[place]?.querySelector<HTMLElement>(kind) ?? next.querySelector<HTMLElement>(kind);
  if (!goal) return;
  event.preventDefault();
  goal.focus();
}
