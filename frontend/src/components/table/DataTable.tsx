import { Button, Group, Stack, Text } from "@mantine/core";
import clsx from "clsx";
import type { ReactNode } from "react";
import { formatCount } from "@/components/numbers/format";
import { Sheet } from "@/components/Sheet";
import { words } from "@/words";
import { type Column, found, sorted } from "./columns";
import { Pages } from "./Pages";
import classes from "./Table.module.css";
import { TableHead } from "./TableHead";
import { TableLine } from "./TableLine";
import { TableTools } from "./TableTools";
import type { Selection } from "./useSelection";
import type { Table } from "./useTable";

const label = words.tables;

export interface DataTableProps<Row> {
  /** Name of the table for those who do not see it. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  table: Table<Row>;
  keyOf: (row: Row) => string;
  /** What a row is called where it is ticked. */
  nameOf?: (row: Row) => string;
  onOpen?: (row: Row) => void;
  /** Rows that stand out. */
  isMarked?: (row: Row) => boolean;
  /** The server finds, sorts and pages: so many rows in all, and so many on a page. */
  paged?: { total: number; limit: number };
  /** So many rows on a page, where all of them are here. */
  pageSize?: number;
  /** A few rows that nobody searches. */
  isShort?: boolean;
  filters?: ReactNode;
  selection?: Selection;
  /** Acts on what is ticked. */
  acts?: ReactNode;
}

/** The one table of lists: header and first column stay, sort and search in the address, rows open and are ticked. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, table, selection, pageSize } = props;
  const fitting = props.paged ? [...rows] : sorted(found(rows, columns, table.find), columns, table.sort);
  // An address may name a page that a search no longer has.
  const first = pageSize && table.page * pageSize < fitting.length ? table.page * pageSize : 0;
  const shown = pageSize ? fitting.slice(first, first + pageSize) : fitting;
  const pages = props.paged ?? (pageSize ? { total: fitting.length, limit: pageSize } : undefined);
  return (
    <Stack gap="sm">
      <TableTools
        table={table}
        columns={columns}
        rows={fitting}
        shown={props.paged?.total ?? fitting.length}
        total={props.paged?.total ?? rows.length}
        isShort={props.isShort ?? false}
      >
        {props.filters}
      </TableTools>
      {selection && selection.keys.size > 0 && (
        <Group
          gap="xs"
          className={classes.acts ?? ""}
          role="toolbar"
          aria-label={label.selected(formatCount(selection.keys.size))}
        >
          <Text size="sm" fw={550} role="status">
            {label.selected(formatCount(selection.keys.size))}
          </Text>
          {props.acts}
          <Button variant="subtle" size="xs" onClick={selection.clear}>
            {label.clear}
          </Button>
        </Group>
      )}
      <Sheet label={props.label} pinned bounded>
        <TableHead table={table} selection={selection} keys={shown.map(props.keyOf)} />
        <tbody className={clsx(table.isDense && classes.dense)}>
          {shown.map((row) => (
            <TableLine key={props.keyOf(row)} row={row} {...props} />
          ))}
        </tbody>
      </Sheet>
      <Nothing rows={shown.length} isBeyond={props.paged !== undefined && table.page > 0} />
      {pages && (
        <Pages
          first={props.paged ? table.page * pages.limit : first}
          shown={shown.length}
          {...pages}
          onPage={table.setPage}
        />
      )}
    </Stack>
  );
}

/** Says that nothing fits; of an address that names a page after the last, `Pages` tells. */
function Nothing({ rows, isBeyond }: { rows: number; isBeyond: boolean }) {
  return rows > 0 || isBeyond ? null : <Text c="var(--quiet)">{label.nothing}</Text>;
}
