import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, type LinkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { importQueries } from "@/api/imports";
import type { SheetQuestionDetail } from "@/api/types";
import { QuestionView } from "@/components/evaluation/QuestionView";
import { type ScoreRow, ScoreTable } from "@/components/evaluation/ScoreTable";
import { NoPage, PageState } from "@/components/NoPage";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import { levelName, listOf, rowQuery } from "./sheetColumns";

const route = getRouteApi("/analysis/imports/$id/questions/$number");
const NAMES = {
  previous: t("Previous row"),
  next: t("Next row"),
  keys: t("Keys: ← or k previous row, → or j next row, u list"),
};

/** One row of an imported sheet, whole. In the address rows count from 1; the page names the sheet's own row. */
export function SheetQuestionPage(): ReactNode {
  const { id, number } = route.useParams();
  const search = route.useSearch();
  const imported = useQuery({ ...importQueries.detail(id), enabled: search.sheet === undefined });
  // As in the list: without a name the first sheet is meant.
  const sheet = search.sheet ?? imported.data?.audit.sheets[0]?.path;
  const place = Number(number) - 1;
  const query = useQuery({
    ...importQueries.row(id, place, rowQuery({ ...search, sheet: sheet ?? "" })),
    enabled: sheet !== undefined,
  });
  if (imported.isError) return <NoPage error={imported.error} onRetry={() => imported.refetch()} />;
  if (!query.data) return <PageState query={query} height={320} />;
  const { item, sheet: of, scores, previous, next } = query.data;
  const at = (row: number | null): LinkOptions | null =>
    row === null
      ? null
      : {
          to: "/analysis/imports/$id/questions/$number",
          params: { id, number: String(row + 1) },
          search: true,
        };
  return (
    <QuestionView
      title={t("Row {row, number}", { row: item.row })}
      listName={`${of.model}, ${levelName(of)}`}
      list={{
        to: "/analysis/imports/$id/questions",
        params: { id },
        search: listOf({ ...search, sheet: of.path }, query.data.place),
      }}
      previous={at(previous)}
      next={at(next)}
      names={NAMES}
      lead={<Where detail={query.data} />}
      detail={{
        question: { text: item.question, reference: item.reference ?? "" },
        answer: item.answer == null ? null : { text: item.answer, raw: item.answer },
        reason: t("The sheet has no answer in this row."),
      }}
      measured={<SheetScores id={id} sheet={of.path} number={item.number} scores={scores} />}
    />
  );
}

/** The file, and where the row stands among those that were looked through. */
function Where({ detail: { item, sheet, place, total } }: { detail: SheetQuestionDetail }) {
  return (
    <>
      {sheet.path}.{" "}
      {place == null
        ? t("Not in the previous list.")
        : t("{place, number} of {total, number} in the previous list.", { place: place + 1, total })}
      {item.repeats > 1 && (
        <Text span c="var(--warn-text)">
          {" "}
          {t("{rows, plural, one {# row} other {# rows}} of this sheet contain this question.", {
            rows: item.repeats,
          })}
        </Text>
      )}
    </>
  );
}

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

interface SheetScoresProps {
  id: string;
  sheet: string;
  number: number;
  scores: SheetQuestionDetail["scores"];
}

/** The 24 columns as the sheet has them, beside those made again where there is a reference. */
function SheetScores({ id, sheet, number, scores }: SheetScoresProps) {
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
