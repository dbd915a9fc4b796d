import { Text } from "@mantine/core";
import type { LinkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { SmallLink } from "@/components/links";
import { Num } from "@/components/numbers/Num";
import { GoalLink } from "@/components/results/GoalLink";
import { unbroken } from "@/components/unbroken";
import type { Column } from "./columns";
import classes from "./Table.module.css";

/** Characters of a note that is not parted. */
const SHORT = 24;

interface Props<Row> {
  column: Column<Row>;
  row: Row;
  /** Where the whole row leads, in its first cell. */
  open?: LinkOptions | undefined;
}

/** What a cell shows: its value, which may lead to the row's page or to the questions behind it, and a note. */
export function DataCell<Row>({ column, row, open }: Props<Row>) {
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
