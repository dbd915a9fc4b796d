import {
  type ColumnDef,
  columnVisibilityFeature,
  createSortedRowModel,
  type ReactTable,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  type Row as TableRow,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { type Dispatch, type SetStateAction, useMemo, useState } from "react";
import { type Column, compare, isNumber, type Value } from "./columns";
import type { Sort, View } from "./useView";

const features = tableFeatures({
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});

type Features = typeof features;
type Def<Row extends object> = ColumnDef<Features, Row>;
export type Line<Row extends object> = TableRow<Features, Row>;
export type TableOf<Row extends object> = ReactTable<Features, Row>;

/** Which rows are ticked, by their keys; over all pages. */
export function useSelection() {
  const [ticked, set] = useState<RowSelectionState>({});
  return { keys: Object.keys(ticked), has: (key: string) => key in ticked, ticked, set };
}

export type Selection = {
  keys: string[];
  has: (key: string) => boolean;
  ticked: RowSelectionState;
  set: Dispatch<SetStateAction<RowSelectionState>>;
};

interface Options<Row extends object> {
  columns: readonly Column<Row>[];
  /** Those that fit the search. */
  rows: Row[];
  keyOf: (row: Row) => string;
  view: View;
  hidden: readonly string[];
  isPaged: boolean;
  selection: Selection | undefined;
}

/** Headings, order, columns and ticks of a table, by TanStack Table. */
export function useRows<Row extends object>({ columns, rows, keyOf, view, ...of }: Options<Row>) {
  const { isPaged, hidden, selection } = of;
  const defs = useMemo(() => defsOf(columns, isPaged), [columns, isPaged]);
  const sorting = view.sort ? [view.sort] : [];
  const visible = columns.map(({ id }, place) => [
    id,
    // An order is never shown without what is ordered by.
    place === 0 || id === view.sort?.id || !hidden.includes(id),
  ]);
  return useTable<Features, Row>({
    features,
    columns: defs,
    data: rows,
    getRowId: keyOf,
    manualSorting: isPaged,
    enableMultiSort: false,
    enableRowSelection: selection !== undefined,
    state: {
      sorting,
      columnVisibility: Object.fromEntries(visible),
      rowSelection: selection?.ticked ?? {},
    },
    onSortingChange: (next) => view.setSort((typeof next === "function" ? next(sorting) : next)[0] as Sort),
    ...(selection ? { onRowSelectionChange: selection.set } : {}),
  });
}

/** Columns as TanStack wants them; neighbours of one group share a heading. */
function defsOf<Row extends object>(columns: readonly Column<Row>[], isPaged: boolean): Def<Row>[] {
  const defs: Def<Row>[] = [];
  const groups: { header: string; columns: Def<Row>[] }[] = [];
  for (const [place, column] of columns.entries()) {
    const { group } = column;
    const last = groups.at(-1);
    if (group === undefined) defs.push(defOf(column, isPaged));
    else if (last?.header === group && columns[place - 1]?.group === group)
      last.columns.push(defOf(column, isPaged));
    else {
      const made = { id: `group ${column.id}`, header: group, columns: [defOf(column, isPaged)] };
      groups.push(made);
      defs.push(made);
    }
  }
  return defs;
}

function defOf<Row extends object>(column: Column<Row>, isPaged: boolean): Def<Row> {
  return {
    id: column.id,
    header: column.label,
    // What has no value comes last, either way.
    accessorFn: (row: Row) => column.value(row) ?? undefined,
    sortUndefined: "last",
    enableSorting: !column.isAct && (isPaged ? column.sort === "server" : column.sort !== "none"),
    // Numbers are looked at from the largest, names from the first.
    sortDescFirst: isNumber(column),
    sortFn: (one, other, id) => compare(one.getValue<Value>(id), other.getValue<Value>(id)),
  };
}
