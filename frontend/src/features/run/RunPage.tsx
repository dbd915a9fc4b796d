import { Stack } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "@/api/client";
import { AnchorLink } from "@/components/links";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { StateBadge } from "@/components/StateBadge";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { MetricTable } from "./MetricTable";
import { Outlets } from "./Outlets";
import { QuestionTable } from "./QuestionTable";
import { RunFacts } from "./RunFacts";

const route = getRouteApi("/runs/$id");
const POLL_MS = 2000;

export function RunPage(): ReactNode {
  const { id } = route.useParams();
  const query = api.useQuery(
    "get",
    "/api/v1/runs/{run_id}",
    { params: { path: { run_id: id } } },
    {
      refetchInterval: ({ state }) =>
        state.data?.state === "running" || state.data?.state === "queued" ? POLL_MS : false,
    },
  );
  const run = query.data;
  const sweep = api.useQuery(
    "get",
    "/api/v1/sweeps/{sweep_id}",
    { params: { path: { sweep_id: run?.sweep_id ?? "" } } },
    { enabled: run !== undefined },
  );
  if (query.isPending) return <Waiting height={240} />;
  if (!run) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
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
        <MetricTable run={run} />
        <QuestionTable run={run} />
      </Stack>
    </>
  );
}
