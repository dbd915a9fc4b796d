import { Button, Group, Text, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { optional } from "@/api/chunks";
import { showDone } from "@/components/notices";
import { t } from "@/words";
import type { ColumnChoiceProps } from "./ColumnChoice";
import { type Column, csvOfRows } from "./columns";
import classes from "./Table.module.css";
import type { useTaste, View } from "./useView";

const TYPED_MS = 250;
/** Its floating panel is a tenth of the first page's code, and nothing of it is seen before it is opened. */
const ColumnChoice = lazy(optional(() => import("./ColumnChoice")));

interface Props<Row> {
  view: View;
  taste: ReturnType<typeof useTaste>;
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

/** What stands above a table: search, further filters, columns, density, and a copy of what is shown. */
export function TableTools<Row>({
  view,
  taste,
  columns,
  shown,
  rows,
  counts,
  isShort,
  children,
}: Props<Row>) {
  const [some, all] = counts;
  const look = isShort
    ? ({ variant: "subtle", size: "compact-xs" } as const)
    : ({ variant: "default", size: "xs" } as const);
  return (
    <Group justify="space-between" align="flex-end" gap="xs">
      <Group align="flex-end" gap="xs" className={classes.filters ?? ""}>
        {!isShort && <Find view={view} />}
        {children}
        {!isShort && (
          <Text size="sm" c="var(--quiet)" role="status" className={classes.count ?? ""}>
            {some === all
              ? t("{total, plural, one {# row} other {# rows}}", { total: all })
              : t("{shown, number} of {total, plural, one {# row} other {# rows}}", {
                  shown: some,
                  total: all,
                })}
          </Text>
        )}
      </Group>
      <Group gap="xs">
        {columns.length > 2 && (
          <Suspense fallback={<Button {...look}>{t("Columns")}</Button>}>
            <ColumnChoice {...({ taste, columns, look } as object as ColumnChoiceProps<object>)} />
          </Suspense>
        )}
        <Button {...look} onClick={() => copy(shown, rows)} disabled={rows.length === 0}>
          {t("Copy as CSV")}
        </Button>
      </Group>
    </Group>
  );
}

function Find({ view }: { view: View }) {
  const [typed, setTyped] = useState(view.find);
  // Going back brings what was sought back into its field.
  useEffect(() => setTyped(view.find), [view.find]);
  const seek = useDebouncedCallback(view.setFind, TYPED_MS);
  return (
    <TextInput
      type="search"
      size="xs"
      label={t("Find")}
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        seek(value);
      }}
    />
  );
}

async function copy<Row>(columns: readonly Column<Row>[], rows: readonly Row[]) {
  try {
    await navigator.clipboard.writeText(csvOfRows(columns, rows));
    showDone(
      t("Copied"),
      t("{rows, plural, one {# row} other {# rows}} copied to the clipboard.", { rows: rows.length }),
    );
  } catch {
    showDone(t("The browser blocked access to the clipboard."));
  }
}
