import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { POLL_MS } from "@/api/freshness";
import { runQueries } from "@/api/runs";
import { isMoving, isOpen } from "@/api/states";
import { sweepQueries } from "@/api/sweeps";
import { Failures } from "@/components/Failures";
import { SmallLink } from "@/components/links";
import { PageState } from "@/components/NoPage";
import { PageHead } from "@/components/PageHead";
import { Withheld } from "@/components/results/Withheld";
import { StateBadge } from "@/components/StateBadge";
import { Waiting } from "@/components/Waiting";
import { t } from "@/words";
import { Grounding } from "./Grounding";
import { Judged } from "./Judged";
import { LocatedFailures } from "./LocatedFailures";
import { Matched } from "./Matched";
import { MetricTable } from "./MetricTable";
import { Outlets } from "./Outlets";
import { QuestionTable } from "./QuestionTable";
import { RunFacts } from "./RunFacts";

const route = getRouteApi("/runs/$id");

export function RunPage(): ReactNode {
  const { id } = route.useParams();
  const query = useQuery(runQueries.detail(id));
  const run = query.data;
  const sweep = useQuery({
    ...sweepQueries.detail(run?.sweep_id ?? ""),
    enabled: run !== undefined,
    // The sweep lists the last failures, and ends after its last run: until then the run's means are withheld.
    refetchInterval: ({ state }) => (isMoving(run?.state) || isMoving(state.data?.state) ? POLL_MS : false),
  });
  if (!run) return <PageState query={query} height={240} />;
  return (
    <>
      <PageHead
        title={run.name}
        trail={
          <SmallLink to="/sweeps/$id" params={{ id: run.sweep_id }}>
            {sweep.data?.name ?? t("Sweeps")}
          </SmallLink>
        }
        beside={<StateBadge state={run.state} failures={run.counts.failed} />}
        lead={<RunFacts run={run} />}
        actions={<Outlets run={run} baseline={sweep.data?.runs.find((other) => other.is_baseline)} />}
      />
      <Stack gap="lg">
        <Failures runs={[run]} recent={sweep.data?.progress?.failures ?? []} only={run.id} />
        {sweep.isPending ? (
          <Waiting height={320} />
        ) : isOpen(sweep.data?.state) ? (
          run.counts.scored > 0 && <Withheld />
        ) : (
          <>
            <MetricTable run={run} />
            <Judged run={run} />
            <Matched run={run} />
            <LocatedFailures run={run} />
            <Grounding run={run} />
          </>
        )}
        <QuestionTable run={run} />
      </Stack>
    </>
  );
}
