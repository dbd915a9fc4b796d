import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { useFollow } from "@/api/follow";
import { isMoving } from "@/api/states";
import { sweepQueries } from "@/api/sweeps";
import type { SweepDetail } from "@/api/types";
import { Failures } from "@/components/Failures";
import { AnchorLink, SmallLink } from "@/components/links";
import { PageState } from "@/components/NoPage";
import { Note } from "@/components/Note";
import { PageHead } from "@/components/PageHead";
import { QueryState } from "@/components/QueryState";
import { Withheld } from "@/components/results/Withheld";
import { ServerText } from "@/components/ServerText";
import { StateBadge } from "@/components/StateBadge";
import { Lines } from "@/components/Warnings";
import { t } from "@/words";
import { STATES } from "@/words/states";
import { Actions } from "./Actions";
import { LiveAnswers } from "./LiveAnswers";
import { Obstacles } from "./Obstacles";
import { ProgressPanel } from "./ProgressPanel";
import { RaiseBudget } from "./RaiseBudget";
import { Results } from "./Results";
import { RunTable } from "./RunTable";
import { SetUp } from "./SetUp";
import { isSettled, sum } from "./state";
import { Timings } from "./Timings";
import classes from "./Written.module.css";

const route = getRouteApi("/sweeps/$id");

export function SweepPage(): ReactNode {
  const { id } = route.useParams();
  const [isFollowed, setFollowed] = useState(false);
  const isReported = useFollow(id, isFollowed);
  const query = useQuery(sweepQueries.followed(id, isReported));
  const moves = isMoving(query.data?.state);
  useEffect(() => setFollowed(moves), [moves]);
  if (!query.data) return <PageState query={query} height={240} />;
  const sweep = query.data;
  const isDone = sweep.state === "finished" && isSettled(sweep);
  return (
    <>
      <PageHead
        title={sweep.name}
        trail={<SmallLink to="/">{t("Sweeps")}</SmallLink>}
        beside={<StateBadge state={sweep.state} failures={sum(sweep, "failed")} />}
        lead={<SetUp sweep={sweep} />}
        actions={<Actions sweep={sweep} />}
      />
      <Stack gap="lg">
        <QueryState query={query} />
        <Written sweep={sweep} />
        {sweep.notice && (
          <Note tone="warn">
            <ServerText text={sweep.notice} />
          </Note>
        )}
        <Stopped sweep={sweep} />
        <Obstacles sweep={sweep} />
        {/* Of a sweep at its end only the results matter; how it got there is part of how they were computed. */}
        {!isDone && <ProgressPanel sweep={sweep} />}
        {sweep.state === "running" && <LiveAnswers sweep={sweep} isReported={isReported} />}
        <Failures runs={sweep.runs} recent={sweep.progress?.failures ?? []} />
        {sweep.state === "paused" && sum(sweep, "scored") > 0 && <Withheld />}
        {isSettled(sweep) ? <Results sweep={sweep} /> : <RunTable runs={sweep.runs} />}
        <Timings sweep={sweep} />
      </Stack>
    </>
  );
}

/**
 * Why the sweep does not go on. The header has the button that helps; a new budget is entered here. The state is the
 * badge's to say, and the reasons of a pause begin with it.
 */
function Stopped({ sweep }: { sweep: SweepDetail }) {
  const { state } = sweep;
  const reasons = [...new Set(reasonsOf(sweep))];
  if (reasons.length === 0) return null;
  return (
    <Note tone="warn" title={state === "paused" ? undefined : STATES[state]} role="status">
      <Lines texts={reasons} />
      {state !== "failed" && sweep.budget_used !== null && <RaiseBudget id={sweep.id} />}
    </Note>
  );
}

/** A cancelled sweep needs no reason, unless only a larger budget resumes it. */
function reasonsOf({ state, runs, used_up }: SweepDetail): string[] {
  if (state === "cancelled") return used_up ? [used_up] : [];
  if (state !== "paused" && state !== "failed") return [];
  return runs.map((run) => run.reason).filter((reason) => reason != null);
}

/** What people wrote about the sweep: its tags, each of which lists the sweeps that have it, and its note. */
function Written({ sweep: { annotation } }: { sweep: SweepDetail }) {
  const { tags, note, archived } = annotation;
  if (tags.length === 0 && note === "" && !archived) return null;
  return (
    <section aria-label={t("Details")}>
      <Group gap="xs">
        {archived && <span className={classes.tag}>{t("Archived")}</span>}
        {tags.map((tag) => (
          <AnchorLink
            key={tag}
            to="/"
            search={{ tag, ...(archived ? { archived: "yes" } : {}) }}
            className={classes.tag ?? ""}
          >
            {tag}
          </AnchorLink>
        ))}
      </Group>
      {note && (
        <Text mt="xs" maw="44rem" className={classes.note ?? ""}>
          {note}
        </Text>
      )}
    </section>
  );
}
