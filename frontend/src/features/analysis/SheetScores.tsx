import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { importQueries } from "@/api/imports";
import type { SheetQuestionDetail } from "@/api/types";
import { type ScoreRow, ScoreTable } from "@/components/evaluation/ScoreTable";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";

const RECOMPUTED_REASONS = {
  no_dataset: t(
    "The scores cannot be recomputed without a reference answer. Import the sheets again together with their dataset.",
  ),
  no_reference: t(
    "The scores cannot be recomputed: the dataset does not contain this question or was deleted.",
  ),
  no_answer: t("The scores cannot be recomputed: the sheet has no answer in this row."),
};
const SHEET_REASONS = {
  no_column: t("The sheet does not have this column."),
  empty_cell: t("The cell in the sheet is empty."),
};

interface Props {
  id: string;
  sheet: string;
  number: number;
  scores: SheetQuestionDetail["scores"];
}

/** The 24 columns as the sheet has them, beside those made again where there is a reference. */
export function SheetScores({ id, sheet, number, scores }: Props) {
  const again = useQuery(importQueries.recomputed(id, number, sheet));
  const made = again.data && !again.data.reason ? again.data.scores : undefined;
  return (
    <Panel title={t("Scores")}>
      {again.isPending && <Quiet role="status">{t("Recomputing the scores.")}</Quiet>}
      <QueryState query={again} />
      {again.data?.reason && <Text size="sm">{RECOMPUTED_REASONS[again.data.reason]}</Text>}
      <ScoreTable
        profile="published"
        rows={scores.map(rowOf)}
        recomputed={made}
        label={t("As published")}
        title={t("Value in the sheet")}
      />
      {made && again.data?.encoder && (
        <Quiet size="xs">
          {t("Columns that need an encoder were recomputed with {name}.", { name: again.data.encoder })}
        </Quiet>
      )}
    </Panel>
  );
}

function rowOf({ metric, label, value, reason, text }: SheetQuestionDetail["scores"][number]): ScoreRow {
  const why =
    reason === "no_number"
      ? t("The cell in the sheet contains “{text}”, which is not a number.", { text })
      : reason && SHEET_REASONS[reason];
  return { metric, value, reason: why, heading: label === metric ? undefined : label };
}
