import { Checkbox } from "@mantine/core";
import type { Header } from "@tanstack/react-table";
import clsx from "clsx";
import type { ReactNode } from "react";
import { Hint } from "@/components/Hint";
import { unbroken } from "@/components/unbroken";
import { t } from "@/words";
import { type Column, isNumber, startsGroup } from "./columns";
import classes from "./Table.module.css";
import type { TableOf } from "./useRows";

interface Props<Row extends object> {
  table: TableOf<Row>;
  /** Those shown, in order. */
  columns: readonly Column<Row>[];
  isTicked: boolean;
}

/** The headings, which sort; where columns belong together, with what they have in common above them. */
export function TableHead<Row extends object>({ table, columns, isTicked }: Props<Row>) {
  return (
    <thead>
      {table.getHeaderGroups().map((group) => (
        <tr key={group.id}>
          {group.headers.map((header) => {
            if (header.rowSpan === 0) return null;
            const place = columns.findIndex(({ id }) => id === header.column.id);
            const column = columns[place];
            return column ? (
              <ColumnHead
                key={header.id}
                column={column}
                header={header}
                isStart={startsGroup(columns, place)}
              >
                {place === 0 && isTicked && <TickAll table={table} />}
              </ColumnHead>
            ) : (
              <th key={header.id} scope="colgroup" colSpan={header.colSpan} className={classes.start}>
                {String(header.column.columnDef.header)}
              </th>
            );
          })}
        </tr>
      ))}
    </thead>
  );
}

function TickAll<Row extends object>({ table }: { table: TableOf<Row> }) {
  return (
    <Checkbox
      size="xs"
      aria-label={t("Select all rows on this page")}
      checked={table.getIsAllRowsSelected()}
      indeterminate={table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected()}
      onChange={table.getToggleAllRowsSelectedHandler()}
    />
  );
}

interface HeadProps<Row extends object> {
  column: Column<Row>;
  header: Header<TableOf<Row>["options"]["features"], Row>;
  isStart: boolean;
  children: ReactNode;
}

const ARIA = { asc: "ascending", desc: "descending" } as const;

function ColumnHead<Row extends object>({ column, header, isStart, children }: HeadProps<Row>) {
  const sorted = header.column.getIsSorted();
  return (
    <th
      scope="col"
      rowSpan={header.rowSpan}
      className={clsx(isNumber(column) && classes.number, isStart && classes.start)}
      aria-sort={sorted ? ARIA[sorted] : undefined}
    >
      <span className={classes.first}>
        {children}
        {header.column.getCanSort() ? (
          <button
            type="button"
            className={classes.heading}
            title={[column.title, saying(header.column.getNextSortingOrder(), column)]
              .filter(Boolean)
              .join("\n")}
            onClick={header.column.getToggleSortingHandler()}
          >
            <span>{unbroken(column.label)}</span>
            <span aria-hidden="true" className={classes.arrow}>
              {sorted && { asc: "↑", desc: "↓" }[sorted]}
            </span>
          </button>
        ) : (
          <Plain column={column} />
        )}
      </span>
    </th>
  );
}

function Plain<Row>({ column: { label: text, title } }: { column: Column<Row> }) {
  return title ? <Hint text={title}>{text}</Hint> : unbroken(text);
}

/** What pressing a heading does. */
function saying<Row>(next: "asc" | "desc" | false, { name, label: text }: Column<Row>): string {
  if (!next) return t("Clear sorting");
  const values = { column: name ?? text };
  return next === "desc"
    ? t("Sort by {column}, descending", values)
    : t("Sort by {column}, ascending", values);
}
