import { Group, NativeSelect, SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { comparisonQueries } from "@/api/runs";
import type { RunComparison } from "@/api/types";
import { bindText } from "@/components/fields";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { Quiet } from "@/components/Quiet";
import { SaveLinks } from "@/components/SaveLinks";
import { DataTable } from "@/components/table";
import { useView } from "@/components/table/useView";
import { useAddress } from "@/components/useAddress";
import { useArrival } from "@/components/useArrival";
import { t } from "@/words";
import { changedColumns, openOf } from "./changedColumns";
import { fileOf } from "./files";

const NAMES = { change: t("Largest change"), rise: t("Largest increase"), fall: t("Largest decrease") };

const route = getRouteApi("/compare");
const LIMIT = 25;
const ORDERS = ["change", "rise", "fall"] as const;

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
  const address = useAddress();
  const others = runs.filter(({ id }) => id !== baseline);
  const of = others.find(({ id }) => id === chosen) ?? others[0];
  const base = runs.find(({ id }) => id === baseline);
  const metric = (metrics.find(({ metric: name }) => name === named) ?? metrics[0])?.metric;
  const put: typeof address = (change) => address({ changedPage: undefined, ...change });
  if (!of || !base || !metric) return null;
  const save = { of: of.id, metric, order };
  return (
    <div id="changed">
      <Panel
        title={t("Questions with the largest change")}
        beside={
          <SaveLinks
            title={t("Questions with the largest change")}
            fileOf={(format) => fileOf(comparison, "questions/export", { ...save, format })}
          />
        }
      >
        <Group align="flex-end" gap="md">
          <NativeSelect
            size="xs"
            label={t("Metric")}
            data={metrics.map(({ metric: name }) => name)}
            {...bindText(metric, (metric) => put({ metric }))}
          />
          {others.length > 1 && (
            <NativeSelect
              size="xs"
              label={t("Run")}
              data={others.map(({ id, name }) => ({ value: id, label: name }))}
              {...bindText(of.id, (of) => put({ of }))}
            />
          )}
          <SegmentedControl
            size="xs"
            aria-label={t("Sort by")}
            value={order}
            onChange={(value) => put({ order: value })}
            data={ORDERS.map((value) => ({ value, label: NAMES[value] }))}
          />
          <Quiet>
            {t("{run} compared with {baseline}. Choose a row to open the question.", {
              run: of.name,
              baseline: base.name,
            })}
          </Quiet>
        </Group>
        <Changed comparison={comparison} of={of} base={base} metric={metric} order={order} />
      </Panel>
    </div>
  );
}

function Changed({ comparison, of, base, metric, order }: Shown) {
  const view = useView("changed");
  const query = useQuery(
    comparisonQueries.questions({
      run: comparison.runs.map(({ id }) => id),
      of: of.id,
      baseline: base.id,
      metric,
      order,
      after: view.page * LIMIT,
      limit: LIMIT,
    }),
  );
  useArrival(query.data !== undefined, "changed");
  if (!query.data) return <QueryState query={query} height={240} />;
  return (
    <DataTable
      name="changed-questions"
      at="changed"
      label={t("Questions with the largest change")}
      columns={changedColumns(base.id, metric)}
      rows={query.data.items}
      keyOf={({ number }) => String(number)}
      open={(item) => openOf(of.id, item)}
      paged={{ total: query.data.total, limit: LIMIT }}
      isShort
    />
  );
}
