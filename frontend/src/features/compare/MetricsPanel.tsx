import { Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "@/api/client";
import type { RunComparison } from "@/api/types";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { Said } from "@/components/Said";
import { SaveLinks } from "@/components/SaveLinks";
import { DataTable } from "@/components/table/DataTable";
import { useTable } from "@/components/table/useTable";
import { words } from "@/words";
import { fileOf } from "./files";
import { type Metric, metricColumns } from "./metricColumns";

const route = getRouteApi("/compare");
const label = words.compare;

/** Means side by side, and the paired difference of each run from the baseline. */
export function MetricsPanel({ comparison }: { comparison: RunComparison }) {
  const { metric: chosen = "CPS" } = route.useSearch();
  const { runs, metrics } = comparison;
  const profile = runs[0]?.config.profile ?? "standard";
  const infos = api.useQuery("get", "/api/v1/metrics", { params: { query: { profile } } });
  const isLower = (name: string) =>
    infos.data?.items.find((info) => info.name === name)?.higher_is_better === false;
  const columns = metricColumns({ comparison, isLower });
  const table = useTable<Metric>("compared-metrics", columns, { key: "metrics" });
  return (
    <Panel
      title={label.metrics}
      beside={
        <SaveLinks
          title={label.metrics}
          fileOf={(format) => fileOf(comparison, "export", { table: "compared_metrics", format })}
        />
      }
    >
      <DataTable
        label={label.metrics}
        columns={columns}
        rows={metrics}
        table={table}
        keyOf={({ metric }) => metric}
        isMarked={({ metric }) => metric === chosen}
      />
      <Text size="sm" c="var(--quiet)">
        <Basis comparison={comparison} />
      </Text>
    </Panel>
  );
}

/** What CPS is relative to, and over how many comparisons p values are corrected. */
function Basis({
  comparison: { panel, metrics, pool_rows, no_cps, wordings },
}: {
  comparison: RunComparison;
}): ReactNode {
  if (!panel) {
    return (
      <>
        {label.noCps} {no_cps && <Said text={no_cps} wordings={wordings} />}
      </>
    );
  }
  const [cps, other] = metrics;
  const comparisons = (metric: Metric | undefined) =>
    label.comparisons(formatCount(metric?.family_size ?? 0));
  return label.basis({
    panel,
    rows: formatCount(pool_rows),
    cps: comparisons(cps),
    metrics: comparisons(other),
  });
}
