import { Checkbox } from "@mantine/core";
import clsx from "clsx";
import type { MouseEvent } from "react";
import { cell } from "@/components/Sheet";
import { words } from "@/words";
import type { Column } from "./columns";
import type { DataTableProps } from "./DataTable";
import classes from "./Table.module.css";

/** One row: it opens where it is pressed, unless what is pressed can be used by itself. */
export function TableLine<Row>(props: DataTableProps<Row> & { row: Row }) {
  const { row, table, keyOf, nameOf, onOpen, selection } = props;
  const key = keyOf(row);
  const open = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest("a, button, input, label, summary")) return;
    onOpen?.(row);
  };
  const [first, ...others] = table.columns;
  return (
    <tr
      className={clsx(onOpen && cell.row)}
      onClick={onOpen && open}
      data-mark={selection?.has(key) || props.isMarked?.(row) || undefined}
    >
      {first && (
        <th scope="row" className={first.isNarrow ? undefined : clsx(cell.text, classes.lead)}>
          <span className={classes.first}>
            {selection && (
              <Checkbox
                size="xs"
                aria-label={words.tables.select(nameOf?.(row) ?? key)}
                checked={selection.has(key)}
                onChange={(event) => selection.put([key], event.currentTarget.checked)}
              />
            )}
            <span>{first.cell(row)}</span>
          </span>
        </th>
      )}
      {others.map((column, place) => (
        <td key={column.id} className={classOf(column, others[place - 1])}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

function classOf<Row>(column: Column<Row>, before: Column<Row> | undefined): string {
  const isStart = column.group !== undefined && column.group !== before?.group;
  return clsx(column.isNumber && cell.number, column.isText && cell.text, isStart && cell.start);
}
