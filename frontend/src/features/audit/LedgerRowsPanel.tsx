import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { ledgerQueries } from "@/api/system";
import { Form } from "@/components/Form";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { t } from "@/words";
import { LedgerRowTable } from "./LedgerRowTable";
import { type Filter, filterOf, NO_FILTER, queryOf } from "./ledgerFilter";

const route = getRouteApi("/audit");
const LIMIT = 50;

/** What stands in the ledger, of all runs; by account, run and time. The filter stands in the address. */
export function LedgerRowsPanel() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/audit" });
  const filter = filterOf(search);
  const query = useQuery(
    ledgerQueries.entries({ ...queryOf(filter), after: search.row ?? null, limit: LIMIT }),
  );
  const { data, isPlaceholderData } = query;
  const put = (change: Partial<Filter> & { row?: string | undefined }) =>
    navigate({ search: (before) => ({ ...before, row: undefined, ...change }), resetScroll: false });
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
