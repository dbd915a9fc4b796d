import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ledgerQueries } from "@/api/system";
import type { LedgerRow } from "@/api/types";
import { Digest } from "@/components/Digest";
import { Form } from "@/components/Form";
import { NONE } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { type Column, DataTable, momentColumn, plainColumn, textColumn } from "@/components/table";
import { useAddress } from "@/components/useAddress";
import { t } from "@/words";

const route = getRouteApi("/audit");
const LIMIT = 50;

/** Rows of the ledger for all runs, by account, run and time. The filter is in the address. */
export function LedgerRowsPanel() {
  const search = route.useSearch();
  const address = useAddress();
  const filter = filterOf(search);
  const query = useQuery(
    ledgerQueries.entries({ ...queryOf(filter), after: search.row ?? null, limit: LIMIT }),
  );
  const { data, isPlaceholderData } = query;
  const put: typeof address = (change) => address({ row: undefined, ...change }, false);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <Panel title={t("Ledger entries")}>
      <Filters key={JSON.stringify(filter)} filter={filter} onChange={put} />
      <QueryState query={query} height={160} />
      {data && (
        <Stack gap="sm">
          {data.items.length === 0 ? (
            <Text c="var(--quiet)">
              {isFiltered || search.row
                ? t("No entries match.")
                : t("No entries yet. Each finished run adds an entry.")}
            </Text>
          ) : (
            <LedgerRowTable rows={data.items} />
          )}
          <Group gap="xs">
            {search.row && (
              <Button variant="default" size="xs" onClick={() => put({})}>
                {t("First page")}
              </Button>
            )}
            {data.next != null && (
              <Button
                variant="default"
                size="xs"
                disabled={isPlaceholderData}
                onClick={() => put({ row: data.next ?? undefined })}
              >
                {t("Next page")}
              </Button>
            )}
          </Group>
        </Stack>
      )}
    </Panel>
  );
}

interface FiltersProps {
  filter: Filter;
  onChange: (filter: Filter) => void;
}

/** Typed, then asked for with one button or Enter: a ledger may be on another machine. */
function Filters({ filter, onChange }: FiltersProps) {
  return (
    <Form aria-label={t("Entry filter")} onSubmit={(fields) => onChange(filterOf(fields))}>
      <Group align="end" gap="xs">
        <TextInput name="account" label={t("Account")} defaultValue={filter.account} maxLength={13} w={150} />
        <TextInput name="of" label={t("Run ID or short name")} defaultValue={filter.of} w={260} />
        <TextInput name="since" type="date" label={t("From")} defaultValue={filter.since} w={150} />
        <TextInput name="until" type="date" label={t("To")} defaultValue={filter.until} w={150} />
        <Button type="submit" variant="default">
          {t("Find")}
        </Button>
        {JSON.stringify(filter) !== JSON.stringify(NO_FILTER) && (
          <Button variant="subtle" onClick={() => onChange(NO_FILTER)}>
            {t("Show all")}
          </Button>
        )}
      </Group>
    </Form>
  );
}

const COLUMNS: Column<LedgerRow>[] = [
  textColumn("entry", t("Entry"), ({ description }) => description, {
    note: ({ authenticated }) => !authenticated && <Legacy />,
  }),
  momentColumn("recorded", t("Recorded"), ({ recorded_at }) => recorded_at),
  plainColumn("account", t("Account"), ({ account }) => account, {
    reason: t("Entries of a local ledger have no signature."),
  }),
  plainColumn("testid", t("Short name of run"), ({ testid }) => testid, {
    cell: ({ testid }) => <code>{testid}</code>,
  }),
  plainColumn("place", t("Location"), ({ id }) => id),
  plainColumn("digest", t("Content digest"), ({ run_digest }) => run_digest ?? NONE, {
    cell: ({ run_digest }) => run_digest && <Digest value={run_digest} />,
  }),
];

/** A row of the published contract, which proves next to nothing. */
function Legacy() {
  return (
    <Text
      size="xs"
      c="var(--warn-text)"
      title={t(
        "Row of the published contract, which does not check the signing account and lets anyone erase its tables.",
      )}
    >
      {t("legacy, not authenticated")}
    </Text>
  );
}

/** Rows as the ledger stores them. */
function LedgerRowTable({ rows }: { rows: LedgerRow[] }) {
  return (
    <DataTable
      name="ledger-rows"
      label={t("Ledger entries")}
      columns={COLUMNS}
      rows={rows}
      keyOf={({ action, id }) => `${action} ${id}`}
      isShort
    />
  );
}

/** Which rows of the ledger are shown; days as `2026-11-21`, by the reader's own clock. */
interface Filter {
  account: string | undefined;
  /** A run's id, or its twelve characters in the ledger. */
  of: string | undefined;
  since: string | undefined;
  /** The last day that is shown. */
  until: string | undefined;
}

export const NO_FILTER: Filter = { account: undefined, of: undefined, since: undefined, until: undefined };
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A filter of what stands in the address or in the form; what is no filter is left out. */
export function filterOf(given: { [key in keyof Filter]?: unknown }): Filter {
  return {
    account: text(given.account),
    of: text(given.of),
    since: day(given.since),
    until: day(given.until),
  };
}

/** The filter as the server takes it: moments, the last day whole. */
export function queryOf({ account, of, since, until }: Filter) {
  return {
    account: account ?? null,
    run: of ?? null,
    since: since === undefined ? null : midnight(since, 0),
    until: until === undefined ? null : midnight(until, 1),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function day(value: unknown): string | undefined {
  const found = text(value);
  return found !== undefined && DAY.test(found) && !Number.isNaN(Date.parse(found)) ? found : undefined;
}

/** Start of a day in this time zone, `later` days after the given date. */
function midnight(given: string, later: number): string {
  const [year = 0, month = 1, date = 1] = given.split("-").map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}
