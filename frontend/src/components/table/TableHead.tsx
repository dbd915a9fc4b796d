import { Checkbox } from "@mantine/core";
import clsx from "clsx";
import type { ReactNode } from "react";
import { cell } from "@/components/Sheet";
import { words } from "@/words";
import { type Column, groupsOf, nextSort } from "./columns";
import classes from "./Table.module.css";
import type { Selection } from "./useSelection";
import type { Table } from "./useTable";

const label = words.tables;

interface Props<Row> {
  table: Table<Row>;
  selection: Selection | undefined;
  /** Of the rows shown. */
  keys: string[];
}

/** The headings, which sort; where columns belong together, with what they have in common above them. */
export function TableHead<Row>({ table, selection, keys }: Props<Row>) {
  const groups = groupsOf(table.columns);
  const isGrouped = groups.some(({ group }) => group !== null);
  const [first] = table.columns;
  const heading = (column: Column<Row>, rowSpan?: number) => (
    <ColumnHead
      key={column.id}
      column={column}
      table={table}
      rowSpan={rowSpan}
      isStart={isStart(column, groups)}
    >
      {column === first && selection && <SelectAll selection={selection} keys={keys} />}
    </ColumnHead>
  );
  if (!isGrouped) {
    return (
      <thead>
        <tr>{table.columns.map((column) => heading(column))}</tr>
      </thead>
    );
  }
  return (
    <thead>
      <tr>
        {groups.map(({ group, columns: [column, ...others] }) =>
          column && group === null ? (
            heading(column, 2)
          ) : (
            <th key={column?.id} scope="colgroup" colSpan={1 + others.length} className={cell.start}>
              {group}
            </th>
          ),
        )}
      </tr>
      <tr>
        {groups.map(({ group, columns }) => group !== null && columns.map((column) => heading(column)))}
      </tr>
    </thead>
  );
}

/** Whether a group begins with the column. */
function isStart<Row>(column: Column<Row>, groups: ReturnType<typeof groupsOf<Row>>): boolean {
  return groups.some(({ group, columns }) => group !== null && columns[0] === column);
}

function SelectAll({ selection, keys }: { selection: Selection; keys: string[] }) {
  const ticked = keys.filter((key) => selection.has(key)).length;
  return (
    <Checkbox
      size="xs"
      aria-label={label.selectAll}
      checked={ticked > 0 && ticked === keys.length}
      indeterminate={ticked > 0 && ticked < keys.length}
      onChange={(event) => selection.put(keys, event.currentTarget.checked)}
    />
  );
}

interface HeadProps<Row> {
  column: Column<Row>;
  table: Table<Row>;
  rowSpan: number | undefined;
  isStart: boolean;
  children: ReactNode;
}

function ColumnHead<Row>({ column, table, rowSpan, isStart, children }: HeadProps<Row>) {
  return (
    <th
      scope="col"
      rowSpan={rowSpan}
      className={clsx(column.isNumber && cell.number, isStart && cell.start)}
      aria-sort={sortOf(column, table)}
    >
      <span className={classes.first}>
        {children}
        <Heading column={column} table={table} />
      </span>
    </th>
  );
}

function sortOf<Row>(column: Column<Row>, { sort }: Table<Row>): "ascending" | "descending" | undefined {
  if (sort?.column !== column.id) return undefined;
  return sort.isDescending ? "descending" : "ascending";
}

function Heading<Row>({ column, table }: { column: Column<Row>; table: Table<Row> }) {
  if (!column.by && !column.isSorted) {
    return column.title ? <abbr title={column.title}>{column.label}</abbr> : column.label;
  }
  const now = sortOf(column, table);
  const next = nextSort(column, table.sort);
  const name = column.name ?? column.label;
  return (
    <button
      type="button"
      className={classes.heading}
      title={[column.title, saying(next, name)].filter(Boolean).join("\n")}
      onClick={() => table.setSort(next)}
    >
      {column.label}
      <span aria-hidden="true" className={classes.arrow}>
        {now === "ascending" && "↑"}
        {now === "descending" && "↓"}
      </span>
    </button>
  );
}

/** What pressing a heading does. */
function saying(next: ReturnType<typeof nextSort>, name: string): string {
  if (next === null) return label.sortNot;
  return next.isDescending ? label.sortDown(name) : label.sortUp(name);
}
