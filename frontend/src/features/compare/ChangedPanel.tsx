import { Group, NativeSelect, SegmentedControl, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { api } from "@/api/client";
import type { ChangedQuestion, RunComparison } from "@/api/types";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { SaveLinks } from "@/components/SaveLinks";
import { DataTable } from "@/components/table/DataTable";
import { useTable } from "@/components/table/useTable";
import { useArrival } from "@/components/useArrival";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { changedColumns, openOf } from "./changedColumns";
import { fileOf } from "./files";

const route = getRouteApi("/compare");
const label = words.compare;
const LIMIT = 25;
const ORDERS = ["change", "rise", "fall"] as const;
const STALE_MS = 30_000;

type Order = (typeof ORDERS)[number];
type Run = RunComparison["runs"][number];

interface Shown {
  comparison: RunComparison;
  of: Run;
  base: Run;
  metric: string;
  order: Order;
}

/** The questions behind a difference, most changed first, page by page. */
export function ChangedPanel({ comparison }: { comparison: RunComparison }) {
  const { runs, baseline, metrics } = comparison;
  const { of: chosen, metric: named, order = "change" } = route.useSearch();
  const navigate = useNavigate({ from: "/compare" });
  const others = runs.filter(({ id }) => id !== baseline);
  const of = others.find(({ id }) => id === chosen) ?? others[0];
  const base = runs.find(({ id }) => id === baseline);
  const metric = (metrics.find(({ metric: name }) => name === named) ?? metrics[0])?.metric;
  const put = (change: { metric?: string; of?: string; order?: string }) =>
    navigate({
      search: (before) => ({ ...before, changedPage: undefined, ...change }) as never,
      replace: true,
      resetScroll: false,
    });
  if (!of || !base || !metric) return null;
  const save = { of: of.id, metric, order };
  return (
    <div id="changed">
      <Panel
        title={label.changed}
        beside={
          <SaveLinks
            title={label.changed}
            fileOf={(format) => fileOf(comparison, "questions/export", { ...save, format })}
          />
        }
      >
        <Group align="flex-end" gap="md">
          <NativeSelect
            size="xs"
            label={label.changedMetric}
            data={metrics.map(({ metric: name }) => name)}
            value={metric}
            onChange={(event) => put({ metric: event.currentTarget.value })}
          />
          {others.length > 1 && (
            <NativeSelect
              size="xs"
              label={label.changedRun}
              data={others.map(({ id, name }) => ({ value: id, label: name }))}
              value={of.id}
              onChange={(event) => put({ of: event.currentTarget.value })}
            />
          )}
          <SegmentedControl
            size="xs"
            aria-label={label.order}
            value={order}
            onChange={(value) => put({ order: value })}
            data={ORDERS.map((value) => ({ value, label: label.orders[value] }))}
          />
          <Text size="sm" c="var(--quiet)">
            {label.changedLead(of.name, base.name)}
          </Text>
        </Group>
        <Changed comparison={comparison} of={of} base={base} metric={metric} order={order} />
      </Panel>
    </div>
  );
}

function Changed({ comparison, of, base, metric, order }: Shown) {
  const navigate = useNavigate();
  const columns = changedColumns(of.id, base.id);
  const table = useTable<ChangedQuestion>("changed-questions", columns, { key: "changed" });
  const query = api.useQuery(
    "get",
    "/api/v1/comparisons/questions",
    {
      params: {
        query: {
          run: comparison.runs.map(({ id }) => id),
          of: of.id,
          baseline: base.id,
          metric,
          order,
          after: table.page * LIMIT,
          limit: LIMIT,
        },
      },
    },
    { placeholderData: keepPreviousData, staleTime: STALE_MS },
  );
  useArrival(query.data !== undefined, "changed");
  if (query.isPending) return <Waiting height={240} />;
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  return (
    <DataTable
      label={label.changed}
      columns={columns}
      rows={query.data.items}
      table={table}
      keyOf={({ number }) => String(number)}
      onOpen={(item) => navigate(openOf(of.id, item))}
      paged={{ total: query.data.total, limit: LIMIT }}
      isShort
    />
  );
}
