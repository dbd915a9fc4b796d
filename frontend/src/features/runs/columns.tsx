import { Progress, Text } from "@mantine/core";
import type { ListedRun, RunComposite, SweepComposites } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { Moment } from "@/components/Moment";
import { formatAbout, formatCount, formatScore } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { saidOf } from "@/components/Said";
import { StateBadge } from "@/components/StateBadge";
import type { Column } from "@/components/table/columns";
import { words } from "@/words";
import classes from "./columns.module.css";

const label = words.runs;

/** A listed run with its CPS, once that is known. */
export interface Row extends ListedRun {
  composites: SweepComposites | undefined;
  composite: RunComposite | undefined;
}

function policyOf({ run }: Row): string {
  const policy = run.config.retrieval;
  switch (policy.mode) {
    case "score":
      return `Score ≥ ${formatScore(policy.min_similarity, 2)}`;
    case "published-score":
      return `Published ${formatScore(policy.min_distance, 2)}`;
    case "normal":
      return `k = ${policy.k}`;
    case "none":
      return words.evaluation.cutClosedBook;
  }
}

function Advance({ run, eta_s }: Row) {
  const { scored, failed, questions } = run.counts;
  return (
    <>
      {words.sweeps.of(formatCount(scored), formatCount(questions))}
      {failed > 0 && (
        <Text span size="xs" c="var(--bad-text)" ml={6}>
          {label.failed(formatCount(failed))}
        </Text>
      )}
      {run.state !== "finished" && (
        <Progress
          size="xs"
          mt={4}
          value={questions > 0 ? (100 * (scored + failed)) / questions : 0}
          aria-label={words.sweep.progressName(formatCount(scored), formatCount(questions))}
        />
      )}
      {eta_s != null && (
        <Text size="xs" c="var(--quiet)">
          {label.left(formatAbout(eta_s))}
        </Text>
      )}
    </>
  );
}

function Cps({ run, composites, composite }: Row) {
  const reason = run.counts.scored === 0 ? label.noCps : (composites?.reason ?? "no_rows");
  const title = composites?.panel
    ? label.pool(composites.panel, formatCount(composites.pool_rows))
    : undefined;
  if (run.counts.scored > 0 && composites === undefined) return <span aria-hidden="true">…</span>;
  return (
    <span title={title}>
      <Num value={composite?.mean_cps} reason={reason} format={formatScore} />
    </span>
  );
}

function config(id: "dataset" | "collection", text: string, isSorted: boolean): Column<Row> {
  return {
    id,
    label: text,
    isSorted,
    isExtra: !isSorted,
    cell: ({ run }) => run.config[id],
    text: ({ run }) => run.config[id],
  };
}

/** What the list of runs shows; the server sorts by those that say so. */
export const COLUMNS: Column<Row>[] = [
  {
    id: "name",
    label: label.name,
    isSorted: true,
    cell: ({ run }) => (
      <>
        <AnchorLink to="/runs/$id" params={{ id: run.id }} size="sm" fw={550}>
          {run.name}
        </AnchorLink>
        {run.is_baseline && (
          <Text size="xs" c="var(--quiet)">
            {label.baseline}
          </Text>
        )}
      </>
    ),
    text: ({ run }) => run.name,
  },
  {
    id: "sweep",
    label: label.sweep,
    isSorted: true,
    cell: ({ run, sweep_name }) => (
      <AnchorLink to="/sweeps/$id" params={{ id: run.sweep_id }} size="sm" className={classes.sweep}>
        {sweep_name}
      </AnchorLink>
    ),
    text: ({ sweep_name }) => sweep_name,
  },
  {
    id: "state",
    label: label.state,
    isSorted: true,
    cell: ({ run }) => (
      <span title={run.reason ? saidOf(run.reason, run.wordings) : undefined}>
        <StateBadge state={run.state} />
      </span>
    ),
    text: ({ run }) => words.shell.states[run.state],
  },
  {
    id: "model",
    label: label.model,
    isSorted: true,
    cell: ({ run }) => run.config.model.name,
    text: ({ run }) => run.config.model.name,
  },
  { id: "policy", label: label.policy, isSorted: true, cell: policyOf, text: policyOf },
  config("dataset", label.dataset, true),
  config("collection", label.collection, false),
  {
    id: "questions",
    label: label.questions,
    name: label.questionsTitle,
    isSorted: true,
    isNumber: true,
    cell: ({ run }) => formatCount(run.counts.questions),
    text: ({ run }) => String(run.counts.questions),
  },
  {
    id: "progress",
    label: label.progress,
    cell: (row) => <Advance {...row} />,
    text: ({ run }) => `${run.counts.scored}/${run.counts.questions}`,
  },
  {
    id: "cps",
    label: label.cps,
    title: label.cpsTitle,
    isNumber: true,
    cell: (row) => <Cps {...row} />,
    text: ({ composite }) => String(composite?.mean_cps ?? ""),
  },
  {
    id: "started",
    label: label.started,
    isSorted: true,
    isNumber: true,
    cell: ({ run }) =>
      run.started_at ? (
        <Moment at={run.started_at} />
      ) : (
        <Num value={null} reason={label.notStarted} format={String} />
      ),
    text: ({ run }) => run.started_at ?? "",
  },
];
