import { Button, Group, Stack, Text } from "@mantine/core";
import type { LinkOptions } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import { type Column, found } from "./columns";
import { Frame } from "./Frame";
import classes from "./Table.module.css";
import { MANY, TableBody } from "./TableBody";
import { TableHead } from "./TableHead";
import { TableTools } from "./TableTools";
import { type Selection, useRows } from "./useRows";
import { useTablePreferences, useView } from "./useView";

export interface DataTableProps<Row extends object> {
  /** By which its columns and its density are remembered. */
  name: string;
  /** Prefix of its keys in the address; without it, sort and search are not stored there. */
  at?: string;
  /** Name of the table for those who do not see it. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** What a row is called where it is ticked. */
  nameOf?: (row: Row) => string;
  /** Where a row leads. */
  open?: (row: Row) => LinkOptions;
  /** Highlighted rows. */
  isMarked?: (row: Row) => boolean;
  /** The server finds, sorts and pages: so many rows in all, and so many on a page. */
  paged?: { total: number; limit: number };
  /** A few rows that nobody searches. */
  isShort?: boolean;
  /** A legend: nobody copies it or chooses its columns. */
  isLegend?: boolean;
  filters?: ReactNode;
  selection?: Selection;
  /** Acts on what is ticked. */
  acts?: ReactNode;
}

/** The one table: header and first column stay, rows are sorted, searched, copied, ticked and opened. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { columns, rows, paged, selection, isShort = false } = props;
  // As state: the rows of a long table wait for what they scroll in.
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const view = useView(props.at);
  const preferences = useTablePreferences(props.name, columns);
  const isPaged = paged !== undefined;
  const fitting = useMemo(
    () => (isPaged ? [...rows] : found(rows, columns, view.find)),
    [isPaged, rows, columns, view.find],
  );
  const { keyOf } = props;
  const table = useRows({
    columns,
    rows: fitting,
    keyOf,
    view,
    hidden: preferences.hidden,
    isPaged,
    selection,
  });
  const shown = columns.filter(({ id }) => table.getColumn(id)?.getIsVisible());
  const lines = table.getRowModel().rows;
  return (
    <Stack gap={isShort ? 4 : "sm"}>
      {!props.isLegend && (
        <TableTools
          view={view}
          preferences={preferences}
          columns={columns}
          shown={shown}
          rows={lines.map(({ original }) => original)}
          counts={paged ? [paged.total, paged.total] : [fitting.length, rows.length]}
          isShort={isShort}
        >
          {props.filters}
        </TableTools>
      )}
      {selection && selection.keys.length > 0 && <Ticked selection={selection} acts={props.acts} />}
      <Frame
        frame={frame}
        onFrame={setFrame}
        label={props.label}
        rows={lines.length > MANY ? lines.length : undefined}
        isWhole={isShort && lines.length < MANY}
      >
        <TableHead table={table} columns={shown} isTicked={selection !== undefined} />
        <TableBody
          lines={lines}
          columns={shown}
          frame={frame}
          isDense={preferences.dense}
          nameOf={props.nameOf}
          open={props.open}
          isMarked={props.isMarked}
          isTicked={selection !== undefined}
        />
      </Frame>
      {/* Of an address that names a page after the last, `Pages` tells. */}
      {lines.length === 0 && !(isPaged && view.page > 0) && (
        <Text c="var(--quiet)">
          {view.find || props.filters ? t("No rows match your search.") : t("No rows")}
        </Text>
      )}
      {paged && (
        <Pages first={view.page * paged.limit} shown={lines.length} {...paged} onPage={view.setPage} />
      )}
    </Stack>
  );
}

function Ticked({ selection, acts }: { selection: Selection; acts: ReactNode }) {
  const told = t("{count, plural, one {# selected} other {# selected}}", { count: selection.keys.length });
  return (
    <Group gap="xs" className={classes.acts ?? ""} role="toolbar" aria-label={told}>
      <Text size="sm" fw={550} role="status">
        {told}
      </Text>
      {acts}
      <Button variant="subtle" size="xs" onClick={() => selection.set({})}>
        {t("Clear selection")}
      </Button>
    </Group>
  );
}

interface PagesProps {
  /** Place of the first row shown. */
  first: number;
  /** How many are shown. */
  shown: number;
  total: number;
  limit: number;
  onPage: (page: number) => void;
}

/** Where one is in a list of several pages, and the ways on. */
export function Pages({ first, shown, total, limit, onPage }: PagesProps) {
  if (total <= limit && first === 0) return null;
  const page = Math.floor(first / limit);
  if (shown === 0 && first > 0) {
    const last = Math.max(0, Math.ceil(total / limit) - 1);
    return (
      <Group justify="space-between">
        <Text size="sm" role="status">
          {t("This page is past the end of the list.")}
        </Text>
        <Button variant="default" size="xs" onClick={() => onPage(last)}>
          {t("Last page")}
        </Button>
      </Group>
    );
  }
  return (
    <Group justify="space-between">
      <Quiet>
        {t("{first, number}–{last, number} of {total, number}", {
          first: first + 1,
          last: first + shown,
          total,
        })}
      </Quiet>
      <Group gap="xs">
        <Button variant="default" size="xs" disabled={first === 0} onClick={() => onPage(page - 1)}>
          {t("Previous page")}
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={first + limit >= total}
          onClick={() => onPage(page + 1)}
        >
          {t("Next page")}
        </Button>
      </Group>
    </Group>
  );
}
