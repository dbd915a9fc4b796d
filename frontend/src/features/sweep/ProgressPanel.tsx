import { Group, Progress, Stack, Text } from "@mantine/core";
import type { RunCounts, SweepDetail } from "@/api/types";
import { formatAbout, formatCount, formatRate } from "@/components/numbers/format";
import { words } from "@/words";
import classes from "./ProgressPanel.module.css";
import { isLive, sum } from "./state";

const COUNTS = ["answered", "scored", "failed", "reused", "uncovered", "abstained", "truncated"] as const;

/** How far the sweep is, how fast, and what happened on the way. */
export function ProgressPanel({ sweep }: { sweep: SweepDetail }) {
  const total = sweep.questions * sweep.runs.length;
  const done = sum(sweep, "scored") + sum(sweep, "failed");
  const live = isLive(sweep.state);
  const { rate_per_s: rate, eta_s: eta, stage } = sweep.progress ?? {};
  const label = words.sweep;
  return (
    <section aria-label={label.progress}>
      <Stack gap="xs">
        {done < total && (
          <>
            <Group justify="space-between" gap="xs">
              <Text fw={550} className={classes.figures}>
                {label.done(formatCount(done), formatCount(total))}
              </Text>
              <Text c="var(--quiet)" className={classes.figures}>
                {live && stage === "retrieving" && label.retrieving}
                {live && stage === "waiting" && label.waiting}
                {live && stage === "answering" && rate != null && formatRate(rate)}
                {live && stage === "answering" && eta != null && `, ${label.eta(formatAbout(eta))}`}
              </Text>
            </Group>
            <Progress
              size="lg"
              value={total > 0 ? (100 * done) / total : 0}
              aria-label={label.progressName(formatCount(done), formatCount(total))}
            />
          </>
        )}
        <Counts sweep={sweep} total={total} />
      </Stack>
    </section>
  );
}

function Counts({ sweep, total }: { sweep: SweepDetail; total: number }) {
  const shown = COUNTS.map((name): [keyof RunCounts, number] => [name, sum(sweep, name)]).filter(
    ([name, count]) => (name === "answered" || name === "scored" ? true : count > 0),
  );
  return (
    <dl className={classes.counts} aria-label={words.sweep.countsTitle}>
      {shown.map(([name, count]) => (
        <div key={name}>
          <dt>{words.sweep[name as (typeof COUNTS)[number]]}</dt>
          <dd className={name === "failed" ? classes.bad : undefined}>
            {formatCount(count)}
            {(name === "answered" || name === "scored") && <span> / {formatCount(total)}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
