import { Stack, Text } from "@mantine/core";
import type { SweepAnalysis, SweepDetail } from "@/api/types";
import { MetricName } from "@/components/MetricName";
import { More } from "@/components/More";
import { Sentences } from "@/components/Sentences";
import { type Column, DataTable, plainColumn, scoreColumn, shareColumn } from "@/components/table";
import { t } from "@/words";
import { Counts } from "./ProgressPanel";
import { settingsOf } from "./SetUp";

/** How the figures were computed: the pool of CPS, its constants, and the settings. */
export function Basis({ sweep, analysis }: { sweep: SweepDetail; analysis: SweepAnalysis }) {
  return (
    <Stack gap="xs">
      <Text size="sm">
        {analysis.pools
          .map((pool) =>
            t(
              "CPS uses the panel {panel} ({profile} metrics) relative to the pool “{pool}”: {runs, plural, one {# run} other {# runs}}, {rows, plural, one {# row} other {# rows}}.",
              {
                panel: analysis.panel,
                profile: analysis.profile_label,
                pool: pool.name,
                runs: pool.run_ids.length,
                rows: pool.rows,
              },
            ),
          )
          .join(" ")}
      </Text>
      <More title={t("How these figures were computed")}>
        <Stack gap="md" mt="sm">
          <Sentences texts={[settingsOf(sweep), ...analysis.statements]} spacing={4} />
          {sweep.state === "finished" && <Counts sweep={sweep} />}
          {analysis.pools.map((pool) => (
            <PoolTable key={pool.name} pool={pool} profile={analysis.profile} />
          ))}
        </Stack>
      </More>
    </Stack>
  );
}

interface PoolProps {
  pool: SweepAnalysis["pools"][number];
  profile: SweepAnalysis["profile"];
}

function PoolTable({ pool, profile }: PoolProps) {
  return (
    <DataTable
      name="pool"
      label={t("Constants of the pool {pool}", { pool: pool.name })}
      columns={columnsOf(profile)}
      rows={pool.metrics}
      keyOf={({ metric }) => metric}
      isShort
    />
  );
}

function columnsOf(profile: PoolProps["profile"]): Column<PoolProps["pool"]["metrics"][number]>[] {
  return [
    plainColumn("metric", t("Metric"), ({ metric }) => metric, {
      cell: ({ metric, higher_is_better }) => (
        <MetricName name={metric} profile={profile} higherIsBetter={higher_is_better} />
      ),
    }),
    shareColumn("weight", t("Weight"), ({ weight }) => weight),
    shareColumn("effective", t("Effective weight"), ({ effective_weight }) => effective_weight, {
      title: t("Share of the CPS variance due to this metric"),
      reason: "constant_cps",
    }),
    scoreColumn("minimum", t("Minimum"), ({ minimum }) => minimum),
    scoreColumn("maximum", t("Maximum"), ({ maximum }) => maximum),
  ];
}
