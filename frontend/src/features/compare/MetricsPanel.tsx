import { Group, SegmentedControl } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { systemQueries } from "@/api/system";
import type { RunComparison } from "@/api/types";
import { Panel } from "@/components/Panel";
import { Quiet } from "@/components/Quiet";
import { SaveLinks } from "@/components/SaveLinks";
import { ServerText } from "@/components/ServerText";
import { DataTable } from "@/components/table";
import { t } from "@/words";
import { fileOf } from "./files";
import { MetricCards } from "./MetricCards";
import { type Metric, metricColumns } from "./metricColumns";

const route = getRouteApi("/compare");

interface Props {
  comparison: RunComparison;
  /** Show only metrics in which some question differs. */
  isDiffOnly?: boolean;
}

/** Means side by side, and the paired difference of each run from the baseline, as a table or as cards with bars. */
export function MetricsPanel({ comparison, isDiffOnly = false }: Props) {
  const [isBars, setBars] = useLocalStorage({
    key: "passer.compare.bars",
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const { metric: chosen = "CPS" } = route.useSearch();
  const { runs, metrics } = comparison;
  const profile = runs[0]?.config.profile ?? "standard";
  const infos = useQuery(systemQueries.metrics(profile));
  const known = infos.data?.items ?? [];
  const shown = isDiffOnly ? metrics.filter(differs) : metrics;
  return (
    <Panel
      title={t("Metrics")}
      beside={
        <Group gap="md">
          <SegmentedControl
            size="xs"
            aria-label={t("Show metrics as")}
            value={isBars ? "bars" : "table"}
            onChange={(value) => setBars(value === "bars")}
            data={[
              { value: "table", label: t("Table") },
              { value: "bars", label: t("Bars") },
            ]}
          />
          <SaveLinks
            title={t("Metrics")}
            fileOf={(format) => fileOf(comparison, "export", { table: "compared_metrics", format })}
          />
        </Group>
      }
    >
      {shown.length < metrics.length && (
        <Quiet role="status">
          {t(
            "{count, plural, one {# metric has} other {# metrics have}} equal values in every question and {count, plural, one {is} other {are}} not shown.",
            { count: metrics.length - shown.length },
          )}
        </Quiet>
      )}
      {isBars ? (
        <MetricCards comparison={comparison} metrics={shown} infos={known} chosen={chosen} />
      ) : (
        <DataTable
          name="compared-metrics"
          at="metrics"
          label={t("Metrics")}
          columns={metricColumns({ comparison, infos: known })}
          rows={shown}
          keyOf={({ metric }) => metric}
          isMarked={({ metric }) => metric === chosen}
        />
      )}
      <Quiet>
        <Basis comparison={comparison} /> {comparison.too_few && <ServerText text={comparison.too_few} />}
      </Quiet>
    </Panel>
  );
}

/** Whether a run has another value than the baseline in some question. */
function differs({ differences }: Metric): boolean {
  return differences.some(({ n_improved, n_worse }) => n_improved + n_worse > 0);
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
        {t("No CPS:")} {no_cps && <ServerText text={no_cps} />}
      </>
    );
  }
  const [cps, other] = metrics;
  const comparisons = (metric: Metric | undefined) =>
    t("{count, plural, one {# comparison} other {# comparisons}}", { count: metric?.family_size ?? 0 });
  const values = { panel, rows: pool_rows, cps: comparisons(cps), metrics: comparisons(other) };
  return pool === "sweep"
    ? t(
        "CPS uses the panel {panel}, relative to the {rows, plural, one {# row} other {# rows}} of the sweep of these runs, as on its page. Intervals and p values are adjusted for {cps} of CPS and, separately, for {metrics} of the metrics.",
        values,
      )
    : t(
        "CPS uses the panel {panel}, relative to the {rows, plural, one {# row} other {# rows}} of these runs. Intervals and p values are adjusted for {cps} of CPS and, separately, for {metrics} of the metrics.",
        values,
      );
}
