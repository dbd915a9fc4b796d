import { Stack } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "@/api/client";
import type { RunState } from "@/api/types";
import { Failures } from "@/components/Failures";
import { AnchorLink } from "@/components/links";
import { NoPage } from "@/components/NoPage";
import { PageHead } from "@/components/PageHead";
import { StateBadge } from "@/components/StateBadge";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { Matched } from "./Matched";
import { MetricTable } from "./MetricTable";
import { Outlets } from "./Outlets";
import { QuestionTable } from "./QuestionTable";
import { RunFacts } from "./RunFacts";
import { useFresh } from "./useFresh";

const route = getRouteApi("/runs/$id");
const POLL_MS = 2000;

function isMoving(state: RunState | undefined): boolean {
  return state === "running" || state === "queued";
}

export function RunPage(): ReactNode {
  const { id } = route.useParams();
  const query = api.useQuery(
    "get",
    "/api/v1/runs/{run_id}",
    { params: { path: { run_id: id } } },
    { refetchInterval: ({ state }) => (isMoving(state.data?.state) ? POLL_MS : false) },
  );
  const run = query.data;
  useFresh(run);
  const sweep = api.useQuery(
    "get",
    "/api/v1/sweeps/{sweep_id}",
    { params: { path: { sweep_id: run?.sweep_id ?? "" } } },
    // The last failures are told of the sweep.
    { enabled: run !== undefined, refetchInterval: isMoving(run?.state) ? POLL_MS : false },
  );
  if (query.isPending) return <Waiting height={240} />;
  if (!run) return <NoPage error={query.error} onRetry={() => query.refetch()} />;
  return (
    <>
      <PageHead
        title={run.name}
        trail={
          <AnchorLink to="/sweeps/$id" params={{ id: run.sweep_id }} size="sm">
            {sweep.data?.sweep.name ?? words.shell.sweeps}
          </AnchorLink>
        }
        beside={<StateBadge state={run.state} />}
        lead={<RunFacts run={run} />}
        actions={<Outlets run={run} baseline={sweep.data?.runs.find((other) => other.is_baseline)} />}
      />
      <Stack gap="lg">
        <Failures
          sweep={run.sweep_id}
          runs={[run]}
          recent={sweep.data?.progress?.failures ?? []}
          wordings={sweep.data?.wordings}
          only={run.id}
        />
        <MetricTable run={run} />
        <Matched run={run} />
        <QuestionTable run={run} />
      </Stack>
    </>
  );
}
