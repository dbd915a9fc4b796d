import { Text } from "@mantine/core";
import type { EvaluationRow } from "@/api/types";
import { Hint } from "@/components/Hint";
import { Quiet } from "@/components/Quiet";
import { Said } from "@/components/Said";
import { StateBadge } from "@/components/StateBadge";
import { type Column, countColumn, scoreColumn, textColumn } from "@/components/table";
import { t } from "@/words";
import classes from "./QuestionTable.module.css";

/** The column of the metric that is shown. */
export const METRIC = "metric";
export const NUMBER = "number";

/** A question, its answer, how many passages it kept, and one metric. */
export function questionColumns(metric: string): Column<EvaluationRow>[] {
  return [
    textColumn("question", t("Question"), ({ question }) => question.text),
    countColumn(NUMBER, t("No."), ({ evaluation }) => evaluation.number + 1, { sort: "server" }),
    textColumn("answer", t("Answer"), ({ answer, evaluation }) => answer ?? evaluation.reason ?? "", {
      cell: (row) => <Answer row={row} />,
    }),
    countColumn(
      "kept",
      t("Passages"),
      ({ evaluation }) => (evaluation.state === "pending" ? null : keptCount(evaluation.kept)),
      { reason: t("Not asked yet.") },
    ),
    scoreColumn(METRIC, metric, ({ evaluation }) => evaluation.scores?.[metric]?.value, {
      sort: "server",
      reason: ({ evaluation }) => evaluation.scores?.[metric]?.reason ?? t("This answer is not scored yet."),
    }),
  ];
}

function Answer({ row: { answer, evaluation } }: { row: EvaluationRow }) {
  return (
    <>
      {answer ? (
        <Text size="sm" lineClamp={2} title={answer}>
          {answer}
        </Text>
      ) : (
        <Quiet>{evaluation.reason ? <Said text={evaluation.reason} /> : t("No answer yet.")}</Quiet>
      )}
      <span className={classes.marks}>
        {evaluation.state !== "scored" && <StateBadge state={evaluation.state} />}
        {evaluation.reused && (
          <Hint text={t("Shared answer: generated for another evaluation with the same prompt.")}>
            {t("shared")}
          </Hint>
        )}
      </span>
    </>
  );
}

/** How many places lie in [first, last). */
function keptCount([first = 0, last = 0]: number[]): number {
  return last - first;
}
