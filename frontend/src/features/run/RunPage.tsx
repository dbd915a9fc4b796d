import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { POLL_MS } from "@/api/freshness";
import { runQueries } from "@/api/runs";
import { isMoving, isOpen } from "@/api/states";
import { sweepQueries } from "@/api/sweeps";
import type { Run } from "@/api/types";
import { Failures } from "@/components/Failures";
import { GroundingLimits, GroundingNote, useGroundingLimits } from "@/components/grounding/GroundingLimits";
import { type GroundedRow, groundingColumns } from "@/components/grounding/groundingColumns";
import { SmallLink } from "@/components/links";
import { PageState } from "@/components/NoPage";
import { formatBytes } from "@/components/numbers/format";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { Withheld } from "@/components/results/Withheld";
import { ServerText } from "@/components/ServerText";
import { StateBadge } from "@/components/StateBadge";
import { DataTable } from "@/components/table";
import { Waiting } from "@/components/Waiting";
import { t } from "@/words";
import { Judged } from "./Judged";
import { LocatedFailures } from "./LocatedFailures";
import { Matched } from "./Matched";
import { MetricTable } from "./MetricTable";
import { Outlets } from "./Outlets";
import { QuestionTable } from "./QuestionTable";

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

/** What it took of the memory, as far as that was read. */
function memory({ memory: taken }: Run): string | null {
  const passer = taken?.passer_bytes;
  const model = taken?.model?.total_bytes;
  if (passer != null && model != null)
    return t("Memory: PaSSER up to {passer}, the model {model}.", {
      passer: formatBytes(passer),
      model: formatBytes(model),
    });
  return passer != null ? t("Memory: PaSSER up to {passer}.", { passer: formatBytes(passer) }) : null;
}

/** What the run does and how far it is, in sentences. */
function RunFacts({ run }: { run: Run }) {
  const { config, counts } = run;
  const notes = [
    counts.failed > 0 && t("{count, plural, one {# failed} other {# failed}}", { count: counts.failed }),
    counts.uncovered > 0 && t("{count, number} without passages", { count: counts.uncovered }),
    counts.abstained > 0 && t("{count, number} abstained", { count: counts.abstained }),
    counts.truncated > 0 && t("{count, number} truncated", { count: counts.truncated }),
    counts.reused > 0 &&
      t("{count, plural, one {# shared answer} other {# shared answers}}", { count: counts.reused }),
  ].filter((note) => note !== false);
  const first = t(
    "{scored, number} of {questions, plural, one {# question} other {# questions}} of {dataset} scored. Model {model}, passages from {collection}.",
    {
      model: config.model.name,
      collection: config.collection,
      dataset: config.dataset,
      scored: counts.scored,
      questions: counts.questions,
    },
  );
  return (
    <>
      {first} {memory(run)} {run.reason && <ServerText text={run.reason} />}{" "}
      {notes.length > 0 && `${notes.join(", ")}.`}
    </>
  );
}

/** Citations and grounding of the run's answers, by shared keywords. */
function Grounding({ run }: { run: Run }) {
  const { settled, ...fields } = useGroundingLimits();
  const { data } = useQuery(runQueries.grounding(run.id, settled));
  const found = data?.runs[0];
  if (!found || found.n === 0) return null;
  const rows = found.columns.map(
    (column): GroundedRow => ({
      key: column.name,
      run: found.run_id,
      name: found.name,
      column,
    }),
  );
  return (
    <Panel title={t("Citations and grounding")}>
      <GroundingLimits {...fields} />
      <DataTable
        name="grounding"
        label={t("Citations and grounding")}
        columns={groundingColumns(false, data?.limits ?? settled)}
        rows={rows}
        keyOf={({ key }) => key}
      />
      <GroundingNote />
    </Panel>
  );
}
