import type { Figure } from "@/api/types";
import { Num } from "@/components/numbers/Num";
import { cell, Sheet } from "@/components/Sheet";
import { words } from "@/words";
import { cellOf, decimals, heading, namedRows } from "./rows";

/** The figure's values as a table. */
export function FigureTable({ figure }: { figure: Figure }) {
  const rows = namedRows(figure);
  const digits = decimals(rows.flatMap(({ y, value }) => [y, value]));
  return (
    <Sheet label={figure.title} pinned bounded>
      <thead>
        <tr>
          <th scope="col">{words.figures.series}</th>
          {figure.columns.map((column) => (
            <th key={column.field} scope="col" className={cell.number}>
              {heading(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.series} ${row.isBaseline ? "" : row.x} ${row.y} ${row.label}`}>
            <th scope="row">{row.series}</th>
            {figure.columns.map(({ field }) => (
              <td key={field} className={cell.number}>
                {cellOf(row, field, digits) ?? <Num value={null} format={String} />}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Sheet>
  );
}
