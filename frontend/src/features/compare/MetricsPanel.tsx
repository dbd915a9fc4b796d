import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { systemQueries } from "@/api/system";
import type { RunComparison } from "@/api/types";
import { Panel } from "@/components/Panel";
import { Said } from "@/components/Said";
import { SaveLinks } from "@/components/SaveLinks";
import { DataTable } from "@/components/table/DataTable";
import { t } from "@/words";
import { fileOf } from "./files";
import { type Metric, metricColumns } from "./metricColumns";

const route = getRouteApi("/compare");

/** Means side by side, and the paired difference of each run from the baseline. */
export function MetricsPanel({ comparison }: { comparison: RunComparison }) {
  const { metric: chosen = "CPS" } = route.useSearch();
  const { runs, metrics } = comparison;
  const profile = runs[0]?.config.profile ?? "standard";
  const infos = useQuery(systemQueries.metrics(profile));
  const isLower = (name: string) =>
    infos.data?.items.find((info) => info.name === name)?.higher_is_better === false;
  return (
    <Panel
      title={t("Metrics")}
      beside={
        <SaveLinks
          title={t("Metrics")}
          fileOf={(format) => fileOf(comparison, "export", { table: "compared_metrics", format })}
        />
      }
    >
      <DataTable
        name="compared-metrics"
        at="metrics"
        label={t("Metrics")}
        columns={metricColumns({ comparison, isLower })}
        rows={metrics}
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
  comparison: { panel, metrics, pool, pool_rows, no_cps },
}: {
  comparison: RunComparison;
}): ReactNode {
  if (!panel) {
    return (
      <>
        {t("No CPS:")} {no_cps && <Said text={no_cps} />}
      </>
    );
  }
  const [cps, other] = metrics;
  const comparisons = (metric: Metric | undefined) =>
    t("{count, plural, one {# comparison} other {# comparisons}}", { count: metric?.family_size ?? 0 });
  const values = { panel, rows: pool_rows, cps: comparisons(cps), metrics: comparisons(other) };
  return pool === "sweep"
    ? t(
        "CPS uses the panel {panel}, relative to the {rows, plural, one {# row} other {# rows}} of the sweep of these runs, as on its page. p values are adjusted by Holm: {cps} for CPS, {metrics} for the metrics.",
        values,
      )
    : t(
        "CPS uses the panel {panel}, relative to the {rows, plural, one {# row} other {# rows}} of these runs. p values are adjusted by Holm: {cps} for CPS, {metrics} for the metrics.",
        values,
      );
}
