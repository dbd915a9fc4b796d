import { Stack, Text } from "@mantine/core";
import { api } from "@/api/client";
import type { SweepDetail } from "@/api/types";
import { Note } from "@/components/Note";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { Basis } from "./Basis";
import { CompositeTable } from "./CompositeTable";
import { Exports } from "./Exports";
import { Figures } from "./Figures";
import { Recommendations } from "./Recommendations";

/** What the sweep shows: the recommendation, the table behind it, and what both rest on. */
export function Results({ sweep }: { sweep: SweepDetail }) {
  const query = api.useQuery("get", "/api/v1/sweeps/{sweep_id}/analysis", {
    params: { path: { sweep_id: sweep.id } },
  });
  if (query.isPending) return <Waiting height={320} />;
  if (!query.data) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  const analysis = query.data;
  return (
    <Stack gap="lg">
      {sweep.state !== "finished" && <Text c="var(--warn-text)">{words.sweep.resultsPartial}</Text>}
      <Recommendations analysis={analysis} />
      <Panel title={words.sweep.results} beside={<Exports id={sweep.id} />}>
        <Warnings warnings={analysis.warnings} />
        <CompositeTable analysis={analysis} />
        <Basis analysis={analysis} />
      </Panel>
      <Figures id={sweep.id} />
    </Stack>
  );
}

const FEW = 3;

/** What a reader must know before believing the table; many are folded behind the first. */
function Warnings({ warnings }: { warnings: string[] }) {
  if (warnings.length === 0) return null;
  const shown = warnings.slice(0, FEW);
  const folded = warnings.slice(FEW);
  return (
    <Note tone="warn" title={words.sweep.warnings}>
      {shown.map((warning) => (
        <div key={warning}>{warning}</div>
      ))}
      {folded.length > 0 && (
        <details>
          <summary>{words.errors.more(folded.length)}</summary>
          {folded.map((warning) => (
            <div key={warning}>{warning}</div>
          ))}
        </details>
      )}
    </Note>
  );
}
