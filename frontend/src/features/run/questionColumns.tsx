import { Text } from "@mantine/core";
import type { EvaluationRow } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { formatCount, formatScore } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { Said, saidOf } from "@/components/Said";
import { StateBadge } from "@/components/StateBadge";
import type { Column } from "@/components/table/columns";
import { words } from "@/words";
import classes from "./QuestionTable.module.css";

const label = words.run;

/** The column of the metric that is shown. */
export const METRIC = "metric";
export const NUMBER = "number";

/** Where a question of a run is shown. */
export function openOf(id: string, { evaluation }: EvaluationRow) {
  return {
    to: "/runs/$id/questions/$number",
    params: { id, number: String(evaluation.number + 1) },
  } as const;
}

/** A question, its answer, how many passages it kept, and one metric. */
export function questionColumns(run: string, metric: string): Column<EvaluationRow>[] {
  return [
    {
      id: "question",
      label: label.question,
      cell: (row) => (
        <AnchorLink {...openOf(run, row)} size="sm">
          {row.question.text}
        </AnchorLink>
      ),
      text: ({ question }) => question.text,
    },
    {
      id: NUMBER,
      label: label.number,
      isNumber: true,
      isSorted: true,
      cell: ({ evaluation }) => formatCount(evaluation.number + 1),
      text: ({ evaluation }) => String(evaluation.number + 1),
    },
    {
      id: "answer",
      label: label.answer,
      isText: true,
      cell: (row) => <Answer row={row} />,
      text: ({ answer, evaluation, wordings }) => answer ?? saidOf(evaluation.reason ?? "", wordings),
    },
    {
      id: "kept",
      label: label.kept,
      isNumber: true,
      cell: ({ evaluation }) => (
        <Num
          value={evaluation.state === "pending" ? null : keptCount(evaluation.kept)}
          reason={label.notReached}
          format={formatCount}
        />
      ),
      text: ({ evaluation }) => (evaluation.state === "pending" ? "" : String(keptCount(evaluation.kept))),
    },
    {
      id: METRIC,
      label: metric,
      isNumber: true,
      isSorted: true,
      cell: ({ evaluation }) => {
        const score = evaluation.scores?.[metric];
        return <Num value={score?.value} reason={score?.reason ?? label.notScored} format={formatScore} />;
      },
      text: ({ evaluation }) => String(evaluation.scores?.[metric]?.value ?? ""),
    },
  ];
}

function Answer({ row: { answer, evaluation, wordings } }: { row: EvaluationRow }) {
  return (
    <>
      {answer ? (
        <Text size="sm" lineClamp={2} title={answer}>
          {answer}
        </Text>
      ) : (
        <Text size="sm" c="var(--quiet)">
          {evaluation.reason ? <Said text={evaluation.reason} wordings={wordings} /> : label.noAnswer}
        </Text>
      )}
      <span className={classes.marks}>
        {evaluation.state !== "scored" && <StateBadge state={evaluation.state} />}
        {evaluation.reused && <span title={label.reusedHint}>{label.reusedMark}</span>}
      </span>
    </>
  );
}

/** How many places lie in [first, last). */
function keptCount([first = 0, last = 0]: number[]): number {
  return last - first;
}
