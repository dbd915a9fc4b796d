import { Group, Progress, Stack, Text } from "@mantine/core";
import { isMoving } from "@/api/states";
import type { SweepDetail } from "@/api/types";
import { formatAbout, formatCount, formatDuration, formatRate } from "@/components/numbers/format";
import { Quiet } from "@/components/Quiet";
import { ServerText } from "@/components/ServerText";
import { t } from "@/words";
import classes from "./ProgressPanel.module.css";
import { sum } from "./state";

const COUNTS = {
  answered: t("answered"),
  scored: t("scored"),
  failed: t("failed"),
  reused: t("shared answers"),
  uncovered: t("without passages"),
  abstained: t("abstained"),
  truncated: t("truncated"),
};
const SHOWN = Object.keys(COUNTS) as (keyof typeof COUNTS)[];

/** How far the sweep is, how fast, and what happened on the way. */
export function ProgressPanel({ sweep }: { sweep: SweepDetail }) {
  const total = sweep.questions * sweep.runs.length;
  const done = sum(sweep, "scored") + sum(sweep, "failed");
  const live = isMoving(sweep.state);
  const { rate_per_s: rate, eta_s: eta, stage } = sweep.progress ?? {};
  return (
    <section aria-label={t("Progress")} className={classes.panel}>
      <Stack gap="xs">
        {done < total && (
          <>
            <Group justify="space-between" gap="xs">
              <Text fw={550} className={classes.figures}>
                {t("{done, number} of {total, plural, one {# evaluation} other {# evaluations}} finished", {
                  done,
                  total,
                })}
              </Text>
              <Text c="var(--quiet)" className={classes.figures}>
                {live && stage === "retrieving" && t("Retrieving passages")}
                {live && stage === "waiting" && t("Waiting for the model server")}
                {live && stage === "answering" && rate != null && formatRate(rate)}
                {live &&
                  stage === "answering" &&
                  eta != null &&
                  `, ${t("about {eta} left", { eta: formatAbout(eta) })}`}
                {live &&
                  stage === "answering" &&
                  eta == null &&
                  t("The time left is estimated after a few answers")}
              </Text>
            </Group>
            <Progress
              size="lg"
              value={total > 0 ? (100 * done) / total : 0}
              aria-label={t(
                "{done, number} of {total, plural, one {# evaluation} other {# evaluations}} scored",
                { done, total },
              )}
            />
          </>
        )}
        {live && <Pace sweep={sweep} />}
        <Counts sweep={sweep} />
      </Stack>
    </section>
  );
}

/** How long it has run, and how long an answer takes. */
function Pace({ sweep: { runs, progress } }: { sweep: SweepDetail }) {
  const [start] = runs.flatMap(({ started_at }) => started_at ?? []).sort();
  // The server's clock for both: that of this browser may go wrong.
  const elapsed = start && progress ? (Date.parse(progress.updated_at) - Date.parse(start)) / 1000 : null;
  const told = [
    elapsed != null && elapsed > 0 && t("{time} elapsed", { time: formatDuration(elapsed) }),
    progress?.answer_s != null && t("{time} per answer", { time: formatDuration(progress.answer_s) }),
  ].filter((each) => each !== false);
  return told.length === 0 ? null : <Quiet className={classes.figures}>{told.join(" · ")}</Quiet>;
}

/** What became of the evaluations, and what they used of the budget. */
export function Counts({ sweep }: { sweep: SweepDetail }) {
  const total = sweep.questions * sweep.runs.length;
  const shown = SHOWN.map((name) => [name, sum(sweep, name)] as const).filter(([name, count]) =>
    name === "answered" || name === "scored" ? true : count > 0,
  );
  return (
    <>
      {sweep.budget_used && (
        <Quiet className={classes.figures}>
          <ServerText text={sweep.budget_used} />
        </Quiet>
      )}
      <dl className={classes.counts} aria-label={t("Counts")}>
        {shown.map(([name, count]) => (
          <div key={name}>
            <dt>{COUNTS[name]}</dt>
            <dd className={name === "failed" ? classes.bad : undefined}>
              {formatCount(count)}
              {(name === "answered" || name === "scored") && <span> / {formatCount(total)}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
