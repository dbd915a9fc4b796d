import { Stack, Text } from "@mantine/core";
import { useMemo } from "react";
import { api } from "@/api/client";
import type { SweepDetail } from "@/api/types";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { behindSweep } from "@/components/results/behindOf";
import { Waiting } from "@/components/Waiting";
import { Warnings } from "@/components/Warnings";
import { words } from "@/words";
import { Basis } from "./Basis";
import { CompositeTable } from "./CompositeTable";
import { Exports } from "./Exports";
import { Figures } from "./Figures";
import { Outlets } from "./Outlets";
import { Recommendations } from "./Recommendations";
import { RunTable } from "./RunTable";

/** From here on the analysis takes seconds. */
const MANY = 5000;

/** What the sweep shows: the recommendation, the table behind it, and what both rest on. */
export function Results({ sweep }: { sweep: SweepDetail }) {
  const query = api.useQuery("get", "/api/v1/sweeps/{sweep_id}/analysis", {
    params: { path: { sweep_id: sweep.id } },
  });
  const configurations = query.data?.configurations;
  const behind = useMemo(() => behindSweep(configurations ?? []), [configurations]);
  if (query.isPending) {
    const evaluations = sweep.questions * sweep.runs.length;
    return evaluations < MANY ? <Waiting height={320} /> : <Computing sweep={sweep} count={evaluations} />;
  }
  if (!query.data) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  const analysis = query.data;
  return (
    <Stack gap="lg">
      {sweep.state !== "finished" && <Text c="var(--warn-text)">{words.sweep.resultsPartial}</Text>}
      <Recommendations analysis={analysis} />
      <Panel title={words.sweep.results} beside={<Exports id={sweep.id} />}>
        <Warnings title={words.sweep.warnings} warnings={analysis.warnings} wordings={analysis.wordings} />
        <CompositeTable analysis={analysis} />
        <Basis analysis={analysis} />
      </Panel>
      <Figures id={sweep.id} behind={behind} />
      <Outlets sweep={sweep} />
    </Stack>
  );
}

/** The runs, which can be looked at while their tests are made. */
function Computing({ sweep, count }: { sweep: SweepDetail; count: number }) {
  return (
    <Stack gap="md">
      <Text role="status">{words.sweep.computing(formatCount(count))}</Text>
      <RunTable runs={sweep.runs} />
    </Stack>
  );
}
