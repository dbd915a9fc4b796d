import { List, Stack, Text } from "@mantine/core";
import type { SweepAnalysis } from "@/api/types";
import { MetricName } from "@/components/MetricName";
import { formatCount, formatScore, formatShare } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { Said } from "@/components/Said";
import { cell, Sheet } from "@/components/Sheet";
import { words } from "@/words";
import classes from "./Basis.module.css";

const label = words.sweep;

/** What the figures rest on: the pool behind CPS, its constants, and the decisions taken. */
export function Basis({ analysis }: { analysis: SweepAnalysis }) {
  return (
    <Stack gap="xs">
      <Text size="sm">
        {analysis.pools
          .map((pool) =>
            label.pool({
              panel: analysis.panel,
              profile: words.figures.term(analysis.profile_label),
              pool: words.figures.term(pool.name),
              runs: formatCount(pool.run_ids.length),
              rows: formatCount(pool.rows),
            }),
          )
          .join(" ")}
      </Text>
      <details className={classes.more}>
        <summary>{label.basis}</summary>
        <Stack gap="md" mt="sm">
          <List size="sm" spacing={4}>
            {analysis.statements.map((statement) => (
              <List.Item key={statement}>
                <Said text={statement} wordings={analysis.wordings} />
              </List.Item>
            ))}
          </List>
          {analysis.pools.map((pool) => (
            <PoolTable key={pool.name} pool={pool} profile={analysis.profile} />
          ))}
        </Stack>
      </details>
    </Stack>
  );
}

interface PoolProps {
  pool: SweepAnalysis["pools"][number];
  profile: SweepAnalysis["profile"];
}

function PoolTable({ pool, profile }: PoolProps) {
  return (
    <Sheet label={label.constants(words.figures.term(pool.name))}>
      <thead>
        <tr>
          <th scope="col">{words.run.metric}</th>
          <th scope="col" className={cell.number}>
            {label.weight}
          </th>
          <th scope="col" className={cell.number}>
            <abbr title={label.effectiveWeightHint}>{label.effectiveWeight}</abbr>
          </th>
          <th scope="col" className={cell.number}>
            {label.minimum}
          </th>
          <th scope="col" className={cell.number}>
            {label.maximum}
          </th>
        </tr>
      </thead>
      <tbody>
        {pool.metrics.map((metric) => (
          <tr key={metric.metric}>
            <th scope="row">
              <MetricName name={metric.metric} profile={profile} higherIsBetter={metric.higher_is_better} />
            </th>
            <td className={cell.number}>{formatShare(metric.weight)}</td>
            <td className={cell.number}>
              <Num value={metric.effective_weight} reason="constant_cps" format={formatShare} />
            </td>
            <td className={cell.number}>{formatScore(metric.minimum)}</td>
            <td className={cell.number}>{formatScore(metric.maximum)}</td>
          </tr>
        ))}
      </tbody>
    </Sheet>
  );
}
