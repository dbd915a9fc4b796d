import { Button, Checkbox, Group, Popover, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { type ReactNode, useEffect, useState } from "react";
import { showDone } from "@/components/notices";
import { formatCount } from "@/components/numbers/format";
import { words } from "@/words";
import { type Column, csvOf, headingOf } from "./columns";
import classes from "./Table.module.css";
import type { Table } from "./useTable";

const label = words.tables;
const TYPED_MS = 250;

interface Props<Row> {
  table: Table<Row>;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** How many fit the search. */
  shown: number;
  /** How many there are without a search. */
  total: number;
  /** A few rows that nobody searches. */
  isShort: boolean;
  children?: ReactNode;
}

/** What stands above a table: search, further filters, columns, density, and a copy of what is shown. */
export function TableTools<Row>({ table, columns, rows, shown, total, isShort, children }: Props<Row>) {
  return (
    <Group justify="space-between" align="flex-end" gap="xs">
      <Group align="flex-end" gap="xs" className={classes.filters ?? ""}>
        {!isShort && <Find table={table} />}
        {children}
        {!isShort && (
          <Text size="sm" c="var(--quiet)" role="status" className={classes.count ?? ""}>
            {label.shown(formatCount(shown), formatCount(total))}
          </Text>
        )}
      </Group>
      <Group gap="xs">
        <Columns table={table} columns={columns} />
        <CopyCsv columns={table.columns} rows={rows} />
      </Group>
    </Group>
  );
}

function Find<Row>({ table }: { table: Table<Row> }) {
  const [typed, setTyped] = useState(table.find);
  // Going back brings what was sought back into its field.
  useEffect(() => setTyped(table.find), [table.find]);
  const seek = useDebouncedCallback(table.setFind, TYPED_MS);
  return (
    <TextInput
      type="search"
      size="xs"
      label={label.find}
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        seek(value);
      }}
    />
  );
}

function Columns<Row>({ table, columns }: { table: Table<Row>; columns: readonly Column<Row>[] }) {
  const [, ...choosable] = columns;
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" size="xs" aria-label={label.columnsName}>
          {label.columns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label.columnsName}>
        <Stack gap="xs">
          {choosable.map((column) => (
            <Checkbox
              key={column.id}
              size="xs"
              label={column.name ?? headingOf(column)}
              checked={!table.hidden.includes(column.id)}
              onChange={(event) => table.show(column.id, event.currentTarget.checked)}
            />
          ))}
          <Checkbox
            size="xs"
            mt="xs"
            label={label.dense}
            checked={table.isDense}
            onChange={(event) => table.setDense(event.currentTarget.checked)}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface CopyProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
}

export function CopyCsv<Row>({ columns, rows }: CopyProps<Row>) {
  const copy = async () => {
    const lines = rows.map((row) => columns.map((column) => column.text(row)));
    try {
      await navigator.clipboard.writeText(csvOf([columns.map(headingOf), ...lines]));
      showDone(label.copied, label.copiedText(formatCount(rows.length)));
    } catch {
      showDone(label.copyFailed);
    }
  };
  return (
    <Button variant="default" size="xs" onClick={copy} disabled={rows.length === 0}>
      {label.copy}
    </Button>
  );
}
