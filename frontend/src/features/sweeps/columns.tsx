import { Progress, Text } from "@mantine/core";
import type { SweepDetail } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { Moment } from "@/components/Moment";
import { formatCount } from "@/components/numbers/format";
import { StateBadge } from "@/components/StateBadge";
import type { Column } from "@/components/table/columns";
import { words } from "@/words";
import { policyRange } from "./policyRange";
import classes from "./SweepTable.module.css";

const label = words.sweeps;

/** How many evaluations there are, and how they went. */
function countsOf({ questions, runs }: SweepDetail) {
  const sum = (of: "scored" | "failed") => runs.reduce((total, { counts }) => total + counts[of], 0);
  return { total: questions * runs.length, scored: sum("scored"), failed: sum("failed") };
}

/** What the list of sweeps shows. */
export const COLUMNS: Column<SweepDetail>[] = [
  {
    id: "name",
    label: label.name,
    cell: ({ id, sweep, questions }) => (
      <>
        <AnchorLink to="/sweeps/$id" params={{ id }} fw={550}>
          {sweep.name}
        </AnchorLink>
        <Text size="xs" c="var(--quiet)">
          {sweep.config.collection}, {label.questions(formatCount(questions))}
        </Text>
      </>
    ),
    text: ({ sweep }) => sweep.name,
    by: ({ sweep }) => sweep.name,
  },
  {
    id: "state",
    label: label.state,
    cell: ({ state }) => <StateBadge state={state} />,
    text: ({ state }) => words.shell.states[state],
    by: ({ state }) => words.shell.states[state],
  },
  {
    id: "compared",
    label: label.compared,
    cell: ({ runs, sweep }) => (
      <>
        {label.configurations(runs.length)}
        <Text size="xs" c="var(--quiet)">
          {policyRange(sweep)}
        </Text>
      </>
    ),
    text: ({ runs, sweep }) =>
      [label.configurations(runs.length), policyRange(sweep)].filter(Boolean).join(": "),
    by: ({ runs }) => runs.length,
  },
  {
    id: "collection",
    label: words.runs.collection,
    isExtra: true,
    cell: ({ sweep }) => sweep.config.collection,
    text: ({ sweep }) => sweep.config.collection,
    by: ({ sweep }) => sweep.config.collection,
  },
  {
    id: "dataset",
    label: words.runs.dataset,
    isExtra: true,
    cell: ({ sweep }) => sweep.config.dataset,
    text: ({ sweep }) => sweep.config.dataset,
    by: ({ sweep }) => sweep.config.dataset,
  },
  {
    id: "progress",
    label: label.progress,
    cell: (item) => <Advance item={item} />,
    text: (item) => {
      const { scored, total } = countsOf(item);
      return `${scored}/${total}`;
    },
    by: (item) => countsOf(item).total,
  },
  {
    id: "started",
    label: label.started,
    isNumber: true,
    cell: ({ created_at }) => <Moment at={created_at} />,
    text: ({ created_at }) => created_at,
    by: ({ created_at }) => created_at,
  },
];

function Advance({ item }: { item: SweepDetail }) {
  const { total, scored, failed } = countsOf(item);
  return (
    <div className={classes.progress}>
      {label.of(formatCount(scored), formatCount(total))}
      {failed > 0 && (
        <Text span size="xs" c="var(--bad-text)" ml={6}>
          {label.failed(formatCount(failed))}
        </Text>
      )}
      {item.state !== "finished" && (
        <Progress
          size="sm"
          mt={4}
          value={total > 0 ? (100 * (scored + failed)) / total : 0}
          aria-label={label.progress}
        />
      )}
    </div>
  );
}
