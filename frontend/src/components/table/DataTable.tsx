import { Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import clsx from "clsx";
import type { MouseEvent, ReactNode } from "react";
import { formatCount } from "@/components/numbers/format";
import { cell, Sheet } from "@/components/Sheet";
import { words } from "@/words";
import { type Column, found, sorted } from "./columns";
import classes from "./Table.module.css";
import { TableTools } from "./TableTools";
import type { Selection } from "./useSelection";
import type { Table } from "./useTable";

const label = words.tables;

interface Props<Row> {
  /** Name of the table for those who do not see it. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  table: Table<Row>;
  keyOf: (row: Row) => string;
  /** What a row is called where it is ticked. */
  nameOf: (row: Row) => string;
  onOpen?: (row: Row) => void;
  /** The server finds, sorts and pages: so many rows in all, and so many on a page. */
  paged?: { total: number; limit: number };
  filters?: ReactNode;
  selection?: Selection;
  /** Acts on what is ticked. */
  acts?: ReactNode;
}

/** The one table of lists: header and first column stay, sort and search in the address, rows open and are ticked. */
export function DataTable<Row>(props: Props<Row>) {
  const { columns, rows, table, paged, selection } = props;
  const shown = paged ? [...rows] : sorted(found(rows, columns, table.find), columns, table.sort);
  return (
    <Stack gap="sm">
      <TableTools table={table} columns={columns} rows={shown} total={paged?.total ?? rows.length}>
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
        <Head {...props} shown={shown} />
        <tbody className={clsx(table.isDense && classes.dense)}>
          {shown.map((row) => (
            <Line key={props.keyOf(row)} row={row} {...props} />
          ))}
        </tbody>
      </Sheet>
      {shown.length === 0 && <Text c="var(--quiet)">{label.nothing}</Text>}
      {paged && <Pages table={table} shown={shown.length} {...paged} />}
    </Stack>
  );
}

function Head<Row>({ table, selection, keyOf, shown }: Props<Row> & { shown: Row[] }) {
  const keys = shown.map(keyOf);
  const ticked = keys.filter((key) => selection?.has(key)).length;
  return (
    <thead>
      <tr>
        {table.columns.map((column, place) => (
          <th
            key={column.id}
            scope="col"
            className={clsx(column.isNumber && cell.number)}
            aria-sort={sortOf(column, table)}
          >
            <span className={classes.first}>
              {place === 0 && selection && (
                <Checkbox
                  size="xs"
                  aria-label={label.selectAll}
                  checked={ticked > 0 && ticked === keys.length}
                  indeterminate={ticked > 0 && ticked < keys.length}
                  onChange={(event) => selection.put(keys, event.currentTarget.checked)}
                />
              )}
              <Heading column={column} table={table} />
            </span>
          </th>
        ))}
      </tr>
    </thead>
  );
}

function sortOf<Row>(column: Column<Row>, { sort }: Table<Row>): "ascending" | "descending" | undefined {
  if (sort?.column !== column.id) return undefined;
  return sort.isDescending ? "descending" : "ascending";
}

function Heading<Row>({ column, table }: { column: Column<Row>; table: Table<Row> }) {
  if (!column.by && !column.isSorted) return <abbr title={column.title}>{column.label}</abbr>;
  const now = sortOf(column, table);
  // Numbers are looked at from the largest, names from the first.
  const isDescending = now ? now === "ascending" : column.isNumber === true;
  const name = column.name ?? column.label;
  return (
    <button
      type="button"
      className={classes.heading}
      title={isDescending ? label.sortDown(name) : label.sortUp(name)}
      onClick={() => table.setSort({ column: column.id, isDescending })}
    >
      {column.label}
      <span aria-hidden="true" className={classes.arrow}>
        {now === "ascending" && "↑"}
        {now === "descending" && "↓"}
      </span>
    </button>
  );
}

function Line<Row>({ row, table, keyOf, nameOf, onOpen, selection }: Props<Row> & { row: Row }) {
  const key = keyOf(row);
  const open = (event: MouseEvent) => {
    // What can be used by itself within a row does not open it.
    if (event.target instanceof Element && event.target.closest("a, button, input, label, summary")) return;
    onOpen?.(row);
  };
  return (
    <tr
      className={clsx(onOpen && cell.row)}
      onClick={onOpen && open}
      data-mark={selection?.has(key) || undefined}
    >
      {table.columns.map((column, place) =>
        place === 0 ? (
          <th key={column.id} scope="row" className={clsx(cell.text, classes.lead)}>
            <span className={classes.first}>
              {selection && (
                <Checkbox
                  size="xs"
                  aria-label={label.select(nameOf(row))}
                  checked={selection.has(key)}
                  onChange={(event) => selection.put([key], event.currentTarget.checked)}
                />
              )}
              <span>{column.cell(row)}</span>
            </span>
          </th>
        ) : (
          <td key={column.id} className={clsx(column.isNumber && cell.number)}>
            {column.cell(row)}
          </td>
        ),
      )}
    </tr>
  );
}

interface PagesProps<Row> {
  table: Table<Row>;
  shown: number;
  total: number;
  limit: number;
}

function Pages<Row>({ table, shown, total, limit }: PagesProps<Row>) {
  const first = table.page * limit;
  if (total <= limit && first === 0) return null;
  return (
    <Group justify="space-between">
      <Text size="sm" c="var(--quiet)">
        {label.range(formatCount(first + 1), formatCount(first + shown), formatCount(total))}
      </Text>
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          disabled={first === 0}
          onClick={() => table.setPage(table.page - 1)}
        >
          {label.previous}
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={first + limit >= total}
          onClick={() => table.setPage(table.page + 1)}
        >
          {label.next}
        </Button>
      </Group>
    </Group>
  );
}
