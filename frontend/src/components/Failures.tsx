import { Button, Group, Text } from "@mantine/core";
import { accepting, useSteering } from "@/api/steering";
import type { RecentFailure, Run } from "@/api/types";
import { useMay } from "@/components/ForRole";
import { ButtonLink, SmallLink } from "@/components/links";
import { t } from "@/words";
import classes from "./Failures.module.css";
import { Moment } from "./Moment";
import { Note } from "./Note";
import { ServerText } from "./ServerText";

/** Runs whose failed questions are linked to; the table of runs names the others. */
const MOST_RUNS = 4;

interface Props {
  /** The runs that are looked at. */
  runs: readonly Run[];
  /** The last ones, newest first; from any run of the sweep. */
  recent: readonly RecentFailure[];
  /** Only this run is asked again; without it, all of the sweep. */
  only?: string;
}

/** Questions that could not be answered, as they come: what, where, why; all of them; and the button that helps. */
export function Failures({ runs, recent, only }: Props) {
  const { busy, steer } = useSteering();
  const may = useMay();
  const names = new Map(runs.map(({ id, name }) => [id, name]));
  const failing = runs.filter(({ counts }) => counts.failed > 0);
  const total = failing.reduce((sum, { counts }) => sum + counts.failed, 0);
  const shown = recent.filter(({ run_id }) => names.has(run_id));
  // A retry sends the same prompt, which is too long again; of failures that are not shown nothing is known.
  const tooLong = shown.filter(({ is_too_long }) => is_too_long).length;
  return (
    // Always there, so that the first failure is spoken as well as the next.
    <div aria-live="polite" className={classes.live}>
      {total > 0 && (
        <Note
          tone="bad"
          title={t("{count, plural, one {# question failed} other {# questions failed}}", { count: total })}
        >
          {shown.length > 0 && (
            <ul className={classes.list} aria-label={t("Latest failures, newest first")}>
              {shown.map((failure) => (
                <li key={`${failure.run_id} ${failure.number}`}>
                  <Moment at={failure.at} />
                  <SmallLink
                    to="/runs/$id/questions/$number"
                    params={{ id: failure.run_id, number: String(failure.number + 1) }}
                  >
                    {failure.question_id}
                  </SmallLink>
                  {runs.length > 1 && <Text size="sm">{names.get(failure.run_id)}</Text>}
                  <Text size="sm" className={classes.reason}>
                    <ServerText text={failure.reason} />
                  </Text>
                </li>
              ))}
            </ul>
          )}
          <Group gap="md">
            {tooLong > 0 && runs[0] && (
              <ButtonLink
                size="xs"
                variant="default"
                to="/new"
                search={{ copy: runs[0].sweep_id, run: only }}
              >
                {t("Copy with other settings")}
              </ButtonLink>
            )}
            {may && tooLong < total && accepting("retry", runs).length > 0 && (
              <Button
                size="xs"
                variant="default"
                loading={busy === "retry"}
                onClick={() => steer("retry", runs, only === undefined)}
              >
                {t("Retry {count, plural, one {# failed question} other {# failed questions}}", {
                  count: total,
                })}
              </Button>
            )}
            {failing.slice(0, MOST_RUNS).map((run) => (
              <SmallLink
                key={run.id}
                to="/runs/$id"
                params={{ id: run.id }}
                search={{ only: "failed" }}
                hash="questions"
              >
                {runs.length > 1
                  ? t("{run}: {count, number}", { count: run.counts.failed, run: run.name })
                  : t("{count, plural, one {Show the failed question} other {Show all # failed questions}}", {
                      count: run.counts.failed,
                    })}
              </SmallLink>
            ))}
            {failing.length > MOST_RUNS && (
              <Text size="sm">
                {t(
                  "{count, plural, one {# more configuration} other {# more configurations}} in the table below",
                  { count: failing.length - MOST_RUNS },
                )}
              </Text>
            )}
          </Group>
        </Note>
      )}
    </div>
  );
}
