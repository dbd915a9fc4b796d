import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { sweepQueries } from "@/api/sweeps";
import type { SweepDetail, SweepNow } from "@/api/types";
import { SmallLink } from "@/components/links";
import { completed, Markdown, withoutMarkdown } from "@/components/Markdown";
import { formatAbout, formatDuration } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import classes from "./LiveAnswers.module.css";

type Unfinished = SweepNow["unfinished"][number];
type Finished = SweepNow["latest"][number];

interface Props {
  sweep: SweepDetail;
  /** Whether the server reports changes; else the page asks. */
  isReported: boolean;
}

/** The answers that models write at this moment, and the last ones that have arrived. */
export function LiveAnswers({ sweep, isReported }: Props): ReactNode {
  const { data } = useQuery(sweepQueries.now(sweep.id, isReported));
  if (!data) return null;
  if (!data.is_here)
    return (
      <Quiet>{t("Another process runs this sweep. Its answers are shown when they are complete.")}</Quiet>
    );
  const { unfinished, others, latest, streams } = data;
  const names = new Map(sweep.runs.map(({ id, name }) => [id, name]));
  return (
    <Panel title={t("Current answers")} beside={<Stages now={data} />}>
      {!streams && (
        <Quiet>
          {t("Workers on other machines read the replies: each answer is shown when it is complete.")}
        </Quiet>
      )}
      {unfinished.length > 0 && (
        // Half sentences that change twice a second are not read out.
        <ul className={classes.list} aria-label={t("Unfinished answers")} aria-live="off">
          {unfinished.map((each) => (
            <Writing
              key={`${each.asked.run_id} ${each.asked.number}`}
              answer={each}
              name={names.get(each.asked.run_id) ?? ""}
              streams={streams}
            />
          ))}
        </ul>
      )}
      {others > 0 && (
        <Quiet>
          {t("{count, plural, one {# more answer} other {# more answers}} at the same time", {
            count: others,
          })}
        </Quiet>
      )}
      {latest.length > 0 && (
        <Stack gap="xs">
          <Text size="sm" fw={550} aria-hidden="true">
            {t("Latest answers")}
          </Text>
          <ul className={classes.list} aria-label={t("Latest answers")} aria-live="off">
            {latest.map((each) => (
              <Arrived
                key={`${each.asked.run_id} ${each.asked.number}`}
                answer={each}
                name={names.get(each.asked.run_id) ?? ""}
              />
            ))}
          </ul>
        </Stack>
      )}
    </Panel>
  );
}

/** How many evaluations wait where. */
function Stages({ now: { retrieving, queued, unfinished, others, scoring, streams } }: { now: SweepNow }) {
  const reading = unfinished.filter(({ stage }) => stage === "reading").length;
  const asked: [string, number][] = streams
    ? [
        [t("Reading the prompt"), reading],
        [t("Writing"), unfinished.length - reading + others],
      ]
    : [[t("Sent to the model"), unfinished.length + others]];
  const stages: [string, number][] = [
    [t("Retrieving"), retrieving],
    [t("In the queue"), queued],
    ...asked,
    [t("Scoring"), scoring],
  ];
  return (
    <dl className={classes.stages} aria-label={t("Stages")}>
      {stages.map(([name, count]) => (
        <div key={name} data-idle={count === 0 || undefined}>
          <dt>{name}</dt>
          <dd>{count}</dd>
        </div>
      ))}
    </dl>
  );
}

function Writing({
  answer: { asked, stage, seconds, text, characters },
  name,
  streams,
}: {
  answer: Unfinished;
  name: string;
  streams: boolean;
}) {
  const isCut = characters > text.length;
  const state = stage === "reading" ? t("Reading the prompt") : t("Writing");
  return (
    <li>
      <Head asked={asked} name={name} />
      <p className={classes.state}>
        <i className={classes.active} aria-hidden="true" />
        {streams ? state : t("Sent to the model")} · {formatAbout(seconds)}
      </p>
      <div className={classes.tail}>
        <div>
          <Markdown text={`${isCut ? "…" : ""}${completed(text, isCut)}`} />
        </div>
      </div>
    </li>
  );
}

function Arrived({ answer: { asked, text, characters, seconds }, name }: { answer: Finished; name: string }) {
  return (
    <li>
      <Head asked={asked} name={name} />
      {seconds > 0 && <p className={classes.state}>{formatDuration(seconds)}</p>}
      <p className={classes.beginning}>
        {text === "" ? t("Empty answer") : withoutMarkdown(text)}
        {characters > text.length && "…"}
      </p>
    </li>
  );
}

function Head({ asked, name }: { asked: Unfinished["asked"]; name: string }) {
  const further = asked.evaluations - 1;
  return (
    <p className={classes.head}>
      <SmallLink
        to="/runs/$id/questions/$number"
        params={{ id: asked.run_id, number: String(asked.number + 1) }}
        search={{}}
      >
        {asked.question}
      </SmallLink>
      <span>
        {name}
        {further > 0 && ` ${t("and {count, number} more", { count: further })}`}
      </span>
    </p>
  );
}
