import { Button, Group } from "@mantine/core";
import { lazy, type ReactNode, Suspense } from "react";
import { optional } from "@/api/chunks";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import type { ColumnChoiceProps } from "./ColumnChoice";
import type { Column } from "./columns";
import { Find } from "./Find";
import classes from "./Table.module.css";
import type { useTablePreferences, View } from "./useView";

/** Its floating panel is a tenth of the first page's code, and nothing of it is seen before it is opened. */
const ColumnChoice = lazy(optional(() => import("./ColumnChoice")));

interface Props<Row> {
  view: View;
  preferences: ReturnType<typeof useTablePreferences>;
  columns: readonly Column<Row>[];
  /** Those that are not hidden. */
  shown: readonly Column<Row>[];
  /** Rows in their order. */
  rows: readonly Row[];
  /** How many fit the search, and how many there are without one. */
  counts: [number, number];
  /** A few rows that nobody searches. */
  isShort: boolean;
  children?: ReactNode;
}

/** Toolbar above a table: search, further filters, columns, density, and a copy of what is shown. */
export function TableTools<Row>({
  view,
  preferences,
  columns,
  shown,
  rows,
  counts,
  isShort,
  children,
}: Props<Row>) {
  const [some, all] = counts;
  const look = isShort
    ? ({ variant: "subtle", size: "compact-xs", c: "var(--quiet)", fw: 500 } as const)
    : ({ variant: "default", size: "xs" } as const);
  return (
    <Group justify="space-between" align="flex-end" gap="xs">
      <Group align="flex-end" gap="xs" className={classes.filters ?? ""}>
        {!isShort && <Find text={view.find} onFind={view.setFind} />}
        {children}
        {!isShort && (
          <Quiet role="status" className={classes.count ?? ""}>
            {some === all
              ? t("{total, plural, one {# row} other {# rows}}", { total: all })
              : t("{shown, number} of {total, plural, one {# row} other {# rows}}", {
                  shown: some,
                  total: all,
                })}
          </Quiet>
        )}
      </Group>
      <Group gap="xs">
        {columns.length > 2 && (
          <Suspense fallback={<Button {...look}>{t("Columns")}</Button>}>
            <ColumnChoice {...({ preferences, columns, look } as object as ColumnChoiceProps<object>)} />
          </Suspense>
        )}
        <Button {...look} onClick={() => copy(shown, rows)} disabled={rows.length === 0}>
          {t("Copy as CSV")}
        </Button>
      </Group>
    </Group>
  );
}

async function copy<Row>(columns: readonly Column<Row>[], rows: readonly Row[]) {
  // Nobody copies at once, so it is no part of the first load.
  const { copyRows } = await import("./csv");
  await copyRows(columns, rows);
}
