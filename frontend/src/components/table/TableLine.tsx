import { Checkbox, Text } from "@mantine/core";
import { type LinkOptions, useNavigate } from "@tanstack/react-router";
import clsx from "clsx";
import type { MouseEvent, ReactNode, Ref } from "react";
import { SmallLink } from "@/components/links";
import { Num } from "@/components/numbers/Num";
import { GoalLink } from "@/components/results/GoalLink";
import { unbroken } from "@/components/unbroken";
import { t } from "@/words";
import { type Column, isNumber, startsGroup } from "./columns";
import classes from "./Table.module.css";
import type { Line } from "./useRows";

export interface LineProps<Row extends object> {
  line: Line<Row>;
  columns: readonly Column<Row>[];
  nameOf: ((row: Row) => string) | undefined;
  open: ((row: Row) => LinkOptions) | undefined;
  isMarked: ((row: Row) => boolean) | undefined;
  isTicked: boolean;
  /** Place among all rows, where only some of them are drawn. */
  place?: number;
  measure?: Ref<HTMLTableRowElement>;
}

/** Parts of a row that are used by themselves. */
const USABLE = "a, button, input, label, summary";

/** One row: it opens where it is pressed, unless what is pressed can be used by itself, or text is being marked. */
export function TableLine<Row extends object>({ line, columns, open, isTicked, ...of }: LineProps<Row>) {
  const navigate = useNavigate();
  const row = line.original;
  const goal = open?.(row);
  const follow = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest(USABLE)) return;
    if (goal && !window.getSelection()?.toString()) void navigate(goal);
  };
  return (
    <tr
      ref={of.measure}
      data-index={of.place}
      aria-rowindex={of.place === undefined ? undefined : of.place + 2}
      className={clsx(goal && classes.row)}
      onClick={goal && follow}
      data-mark={line.getIsSelected() || of.isMarked?.(row) || undefined}
    >
      {columns.map((column, place) =>
        place === 0 ? (
          <th
            key={column.id}
            scope="row"
            className={clsx(column.kind === "text" && [classes.text, classes.lead])}
          >
            <span className={classes.first}>
              {isTicked && <Tick line={line} name={of.nameOf?.(row) ?? line.id} />}
              <span>
                <DataCell column={column} row={row} open={goal} />
              </span>
            </span>
          </th>
        ) : (
          <td key={column.id} className={classOf(columns, place)}>
            <DataCell column={column} row={row} />
          </td>
        ),
      )}
    </tr>
  );
}

/** The box of a row; pressing beside it ticks too, and never opens the row. */
function Tick<Row extends object>({ line, name }: { line: Line<Row>; name: string }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the box within has a name of its own
    <label className={classes.tick}>
      <Checkbox
        size="xs"
        aria-label={t("Select {name}", { name })}
        checked={line.getIsSelected()}
        onChange={line.getToggleSelectedHandler()}
      />
    </label>
  );
}

function classOf<Row>(columns: readonly Column<Row>[], place: number): string {
  const column = columns[place];
  return clsx(
    column && isNumber(column) && classes.number,
    column?.kind === "text" && classes.text,
    startsGroup(columns, place) && classes.start,
  );
}

/** Characters of a note that is not parted. */
const SHORT = 24;

interface DataCellProps<Row> {
  column: Column<Row>;
  row: Row;
  /** Where the whole row leads, in its first cell. */
  open?: LinkOptions | undefined;
}

/** What a cell shows: its value, which may lead to the row's page or to the questions behind it, and a note. */
function DataCell<Row>({ column, row, open }: DataCellProps<Row>) {
  const note = column.note?.(row);
  const content = contentOf(column, row);
  return (
    <>
      {open ? (
        // Addresses are checked where they are written.
        <SmallLink {...(open as { to: "/" })} fw={column.kind === "text" ? 400 : 550}>
          {content}
        </SmallLink>
      ) : (
        <GoalLink goal={column.goal?.(row)}>{content}</GoalLink>
      )}
      {note && (
        <Text size="xs" c="var(--quiet)" component="div" className={isShort(note) ? undefined : classes.note}>
          {typeof note === "string" ? unbroken(note) : note}
        </Text>
      )}
    </>
  );
}

/** "n = 40" stays on a line; a sentence takes several, also below a number. */
function isShort(note: ReactNode): boolean {
  return typeof note === "string" && note.length <= SHORT;
}

function contentOf<Row>({ cell, value, format, reason }: Column<Row>, row: Row): ReactNode {
  const shown = cell?.(row);
  if (shown !== undefined && shown !== null) return shown;
  const found = value(row);
  if (typeof found === "string") return unbroken(found);
  const why = typeof reason === "function" ? reason(row) : reason;
  return <Num value={found} reason={why} format={format ?? String} />;
}
