import type { Figure } from "@/api/types";
import { Num } from "@/components/numbers/Num";
import { type Behind, goalOfMark } from "@/components/results/behind";
import { GoalLink } from "@/components/results/GoalLink";
import { cell, Sheet } from "@/components/Sheet";
import { words } from "@/words";
import { cellOf, decimals, heading, namedRows } from "./rows";

interface Props {
  figure: Figure;
  behind: readonly Behind[];
}

/** The figure's values as a table; a row leads where its mark does. */
export function FigureTable({ figure, behind }: Props) {
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
            <th scope="row">
              <GoalLink goal={goalOfMark(row, behind)}>{row.series}</GoalLink>
            </th>
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
