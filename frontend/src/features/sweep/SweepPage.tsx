import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { useFollow } from "@/api/follow";
import { isMoving } from "@/api/states";
import { sweepQueries } from "@/api/sweeps";
import { Failures } from "@/components/Failures";
import { SmallLink } from "@/components/links";
import { PageState } from "@/components/NoPage";
import { Note } from "@/components/Note";
import { PageHead } from "@/components/PageHead";
import { QueryState } from "@/components/QueryState";
import { Withheld } from "@/components/results/Withheld";
import { Said } from "@/components/Said";
import { StateBadge } from "@/components/StateBadge";
import { t } from "@/words";
import { Actions } from "./Actions";
import { LiveAnswers } from "./LiveAnswers";
import { Obstacles } from "./Obstacles";
import { ProgressPanel } from "./ProgressPanel";
import { Results } from "./Results";
import { RunTable } from "./RunTable";
import { SetUp } from "./SetUp";
import { Stopped } from "./Stopped";
import { isSettled, sum } from "./state";
import { Timings } from "./Timings";
import { Written } from "./Written";

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
            <Said text={sweep.notice} />
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
