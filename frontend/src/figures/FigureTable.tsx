import type { Figure } from "@/api/types";
import { type Behind, goalOfMark } from "@/components/results/behind";
import { type Column, DataTable, plainColumn } from "@/components/table";
import { t } from "@/words";
import { cellOf, decimals, heading, type Named, namedRows, plainOf } from "./rows";

interface Props {
  figure: Figure;
  behind: readonly Behind[];
}

/** The figure's values as a table; a row leads where its mark does. */
export function FigureTable({ figure, behind }: Props) {
  const rows = namedRows(figure);
  return (
    <DataTable
      name={`figure-${figure.id}`}
      label={figure.title}
      columns={columnsOf(figure, rows, behind)}
      rows={rows}
      keyOf={(row) => `${row.series} ${row.isBaseline ? "" : row.x} ${row.y} ${row.label}`}
      isShort
    />
  );
}

/** The columns of a figure as a table and as a CSV file, where nothing is rounded. */
export function columnsOf(
  { columns }: Figure,
  rows: Named[],
  behind: readonly Behind[] = [],
): Column<Named>[] {
  const digits = decimals(rows.flatMap(({ y, value }) => [y, value]));
  return [
    plainColumn("series", t("Series"), ({ series }) => series, { goal: (row) => goalOfMark(row, behind) }),
    ...columns.map(
      (column): Column<Named> =>
        plainColumn(column.field, heading(column), (row) => plainOf(row, column.field), {
          kind: "number",
          cell: (row) => cellOf(row, column.field, digits),
        }),
    ),
  ];
}
