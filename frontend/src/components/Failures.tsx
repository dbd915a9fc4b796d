import { Button, Group, Text } from "@mantine/core";
import { useActs } from "@/api/acts";
import type { RecentFailure, Run } from "@/api/types";
import { words } from "@/words";
import classes from "./Failures.module.css";
import { AnchorLink } from "./links";
import { Moment } from "./Moment";
import { Note } from "./Note";
import { formatCount } from "./numbers/format";
import { Said, type Wordings } from "./Said";

const label = words.failures;
/** Runs whose failed questions are linked to; the table of runs names the others. */
const MOST_RUNS = 4;

interface Props {
  /** Of which sweep. */
  sweep: string;
  /** The runs that are looked at. */
  runs: readonly Run[];
  /** The last ones, newest first; from any run of the sweep. */
  recent: readonly RecentFailure[];
  wordings: Wordings;
  /** Only this run is asked again; without it, all of the sweep. */
  only?: string;
}

/** Questions that could not be answered, as they come: what, where, why; all of them; and the button that helps. */
export function Failures({ sweep, runs, recent, wordings, only }: Props) {
  const acts = useActs(sweep, only);
  const names = new Map(runs.map(({ id, name }) => [id, name]));
  const failing = runs.filter(({ counts }) => counts.failed > 0);
  const total = failing.reduce((sum, { counts }) => sum + counts.failed, 0);
  const canRetry = failing.some(({ state }) => state === "finished" || state === "failed");
  const shown = recent.filter(({ run_id }) => names.has(run_id));
  return (
    // Always there, so that the first failure is spoken as well as the next.
    <div aria-live="polite" className={classes.live}>
      {total > 0 && (
        <Note tone="bad" title={label.title(formatCount(total))}>
          {shown.length > 0 && (
            <ul className={classes.list} aria-label={label.recent}>
              {shown.map((failure) => (
                <li key={`${failure.run_id} ${failure.number}`}>
                  <Moment at={failure.at} />
                  <AnchorLink
                    to="/runs/$id/questions/$number"
                    params={{ id: failure.run_id, number: String(failure.number + 1) }}
                    size="sm"
                  >
                    {failure.question_id}
                  </AnchorLink>
                  {runs.length > 1 && <Text size="sm">{names.get(failure.run_id)}</Text>}
                  <Text size="sm" className={classes.reason}>
                    <Said text={failure.reason} wordings={wordings} />
                  </Text>
                </li>
              ))}
            </ul>
          )}
          <Group gap="md">
            {canRetry && (
              <Button
                size="xs"
                variant="default"
                loading={acts.busy === "retry"}
                onClick={() => acts.steer("retry")}
              >
                {label.retry(formatCount(total))}
              </Button>
            )}
            {failing.slice(0, MOST_RUNS).map((run) => (
              <AnchorLink
                key={run.id}
                to="/runs/$id"
                params={{ id: run.id }}
                search={{ only: "failed" }}
                hash="questions"
                size="sm"
              >
                {runs.length > 1
                  ? label.allOf(formatCount(run.counts.failed), run.name)
                  : label.all(formatCount(run.counts.failed))}
              </AnchorLink>
            ))}
            {failing.length > MOST_RUNS && (
              <Text size="sm">{label.more(formatCount(failing.length - MOST_RUNS))}</Text>
            )}
          </Group>
        </Note>
      )}
    </div>
  );
}
