import type { ColumnCalibration } from "@/api/types";
import { type Column, countColumn, DataTable, plainColumn } from "@/components/table";
import { t } from "@/words";

type Categories = NonNullable<NonNullable<ColumnCalibration["agreement"]>["categories"]>;

interface Row {
  level: number;
  counts: number[];
}

interface Props {
  categories: Categories;
  /** Who gave the values of the rows; people by default. */
  rows?: string;
  /** Who gave the values of the columns; the judge by default. */
  columns?: string;
  /** What a value means; the number itself by default. */
  nameOf?: (level: number) => string;
}

/** How often two raters gave which value. */
export function Confusion({
  categories: { levels, table },
  rows: one,
  columns: other,
  nameOf = String,
}: Props) {
  const rows = levels.map((level, place): Row => ({ level, counts: table[place] ?? [] }));
  const columns: Column<Row>[] = [
    plainColumn("people", one ?? t("People"), ({ level }) => nameOf(level)),
    ...levels.map(
      (level, place): Column<Row> =>
        countColumn(`judge-${level}`, nameOf(level), ({ counts }) => counts[place] ?? 0, {
          group: other ?? t("Judge"),
        }),
    ),
  ];
  return (
    <DataTable
      name="confusion"
      label={
        one && other ? t("Values of {one} and {other}", { one, other }) : t("Values of people and judge")
      }
      columns={columns}
      rows={rows}
      keyOf={({ level }) => String(level)}
      isShort
    />
  );
}
