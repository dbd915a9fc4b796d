import type { ColumnCalibration } from "@/api/types";
import { formatCount } from "@/components/numbers/format";
import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import { t } from "@/words";

type Categories = NonNullable<NonNullable<ColumnCalibration["agreement"]>["categories"]>;

interface Row {
  level: number;
  counts: number[];
}

/** How often people and judge gave which value. */
export function Confusion({ categories: { levels, table } }: { categories: Categories }) {
  const rows = levels.map((level, place): Row => ({ level, counts: table[place] ?? [] }));
  const columns: Column<Row>[] = [
    { id: "people", label: t("People"), value: ({ level }) => String(level) },
    ...levels.map(
      (level, place): Column<Row> => ({
        id: `judge-${level}`,
        label: String(level),
        group: t("Judge"),
        value: ({ counts }) => counts[place] ?? 0,
        format: formatCount,
      }),
    ),
  ];
  return (
    <DataTable
      name="confusion"
      label={t("Values of people and judge")}
      columns={columns}
      rows={rows}
      keyOf={({ level }) => String(level)}
      isShort
    />
  );
}
