import { Alert, Skeleton, Stack, Text } from "@mantine/core";
import { api } from "@/api/client";
import type { SweepDetail } from "@/api/types";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { words } from "@/words";
import { Basis } from "./Basis";
import { CompositeTable } from "./CompositeTable";
import { Exports } from "./Exports";
import { Recommendations } from "./Recommendations";

/** What the sweep shows: the recommendation, the table behind it, and what both rest on. */
export function Results({ sweep }: { sweep: SweepDetail }) {
  const query = api.useQuery("get", "/api/v1/sweeps/{sweep_id}/analysis", {
    params: { path: { sweep_id: sweep.id } },
  });
  if (query.isPending) return <Skeleton height={320} aria-label={words.shell.loading} />;
  if (!query.data) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  const analysis = query.data;
  return (
    <Stack gap="lg">
      {sweep.state !== "finished" && <Text c="var(--warn-text)">{words.sweep.resultsPartial}</Text>}
      <Recommendations analysis={analysis} />
      <Panel title={words.sweep.results} beside={<Exports id={sweep.id} />}>
        {analysis.warnings.map((warning) => (
          <Alert key={warning} color="orange" variant="outline" p="xs" role="note">
            {warning}
          </Alert>
        ))}
        <CompositeTable analysis={analysis} />
        <Basis analysis={analysis} />
      </Panel>
    </Stack>
  );
}
