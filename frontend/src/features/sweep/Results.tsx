import { Stack, Text } from "@mantine/core";
import { api } from "@/api/client";
import type { SweepDetail } from "@/api/types";
import { Note } from "@/components/Note";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { Basis } from "./Basis";
import { CompositeTable } from "./CompositeTable";
import { Exports } from "./Exports";
import { Figures } from "./Figures";
import { Recommendations } from "./Recommendations";
import { RunTable } from "./RunTable";

/** From here on the analysis takes seconds. */
const MANY = 5000;

/** What the sweep shows: the recommendation, the table behind it, and what both rest on. */
export function Results({ sweep }: { sweep: SweepDetail }) {
  const query = api.useQuery("get", "/api/v1/sweeps/{sweep_id}/analysis", {
    params: { path: { sweep_id: sweep.id } },
  });
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
        <Warnings warnings={analysis.warnings} />
        <CompositeTable analysis={analysis} />
        <Basis analysis={analysis} />
      </Panel>
      <Figures id={sweep.id} />
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
