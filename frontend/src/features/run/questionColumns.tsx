import { Text } from "@mantine/core";
import type { EvaluationRow } from "@/api/types";
import { Hint } from "@/components/Hint";
import { formatCount, formatScore } from "@/components/numbers/format";
import { Quiet } from "@/components/Quiet";
import { Said } from "@/components/Said";
import { StateBadge } from "@/components/StateBadge";
import type { Column } from "@/components/table/columns";
import { t } from "@/words";
import classes from "./QuestionTable.module.css";

/** The column of the metric that is shown. */
export const METRIC = "metric";
export const NUMBER = "number";

/** A question, its answer, how many passages it kept, and one metric. */
export function questionColumns(metric: string): Column<EvaluationRow>[] {
  return [
    { id: "question", label: t("Question"), kind: "text", value: ({ question }) => question.text },
    {
      id: NUMBER,
      label: t("No."),
      sort: "server",
      value: ({ evaluation }) => evaluation.number + 1,
      format: formatCount,
    },
    {
      id: "answer",
      label: t("Answer"),
      kind: "text",
      value: ({ answer, evaluation }) => answer ?? evaluation.reason ?? "",
      cell: (row) => <Answer row={row} />,
    },
    {
      id: "kept",
      label: t("Passages"),
      value: ({ evaluation }) => (evaluation.state === "pending" ? null : keptCount(evaluation.kept)),
      reason: t("Not asked yet."),
      format: formatCount,
    },
    {
      id: METRIC,
      label: metric,
      sort: "server",
      value: ({ evaluation }) => evaluation.scores?.[metric]?.value,
      reason: ({ evaluation }) => evaluation.scores?.[metric]?.reason ?? t("This answer is not scored yet."),
      format: formatScore,
    },
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
