import { Stack } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { api } from "@/api/client";
import { useFollow } from "@/api/follow";
import { Failures } from "@/components/Failures";
import { AnchorLink } from "@/components/links";
import { NoPage } from "@/components/NoPage";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { StateBadge } from "@/components/StateBadge";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { Actions } from "./Actions";
import { ProgressPanel } from "./ProgressPanel";
import { Results } from "./Results";
import { RunTable } from "./RunTable";
import { SetUp } from "./SetUp";
import { Stopped } from "./Stopped";
import { isLive, isSettled } from "./state";
import { Timings } from "./Timings";

const route = getRouteApi("/sweeps/$id");
const POLL_MS = 1000;
const CALM_MS = 5000;

export function SweepPage(): ReactNode {
  const { id } = route.useParams();
  const [isMoving, setMoving] = useState(false);
  const isTold = useFollow(id, isMoving);
  const query = api.useQuery(
    "get",
    "/api/v1/sweeps/{sweep_id}",
    { params: { path: { sweep_id: id } } },
    // Another tab or the command line may resume it, so that a sweep at rest is still looked at now and then.
    {
      refetchInterval: ({ state }) =>
        isTold ? false : state.data && !isLive(state.data.state) ? CALM_MS : POLL_MS,
    },
  );
  const moves = query.data !== undefined && isLive(query.data.state);
  useEffect(() => setMoving(moves), [moves]);
  if (query.isPending) return <Waiting height={240} />;
  if (!query.data) return <NoPage error={query.error} onRetry={() => query.refetch()} />;
  const sweep = query.data;
  return (
    <>
      <PageHead
        title={sweep.sweep.name}
        trail={
          <AnchorLink to="/" size="sm">
            {words.shell.sweeps}
          </AnchorLink>
        }
        beside={<StateBadge state={sweep.state} />}
        lead={<SetUp sweep={sweep} />}
        actions={<Actions sweep={sweep} />}
      />
      <Stack gap="lg">
        {query.isError && <ProblemNotice error={query.error} onRetry={() => query.refetch()} />}
        <Stopped sweep={sweep} />
        <ProgressPanel sweep={sweep} />
        <Failures
          sweep={sweep.id}
          runs={sweep.runs}
          recent={sweep.progress?.failures ?? []}
          wordings={sweep.wordings}
        />
        {isSettled(sweep) ? <Results sweep={sweep} /> : <RunTable runs={sweep.runs} />}
        <Timings sweep={sweep} />
      </Stack>
    </>
  );
}
