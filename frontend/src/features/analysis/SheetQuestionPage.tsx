import { Grid, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "@/api/client";
import type { SheetQuestionDetail } from "@/api/types";
import { Answers } from "@/components/evaluation/Answers";
import { AnchorLink } from "@/components/links";
import { NoPage } from "@/components/NoPage";
import { formatCount } from "@/components/numbers/format";
import { PageHead } from "@/components/PageHead";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { SheetScores } from "./SheetScores";
import { SheetSteps } from "./SheetSteps";
import { listOf, rowQuery, thresholdName } from "./sheetColumns";

const route = getRouteApi("/analysis/imports/$id/questions/$number");
const label = words.analysis;

/** One row of an imported sheet, whole. In the address rows count from 1; the page names the sheet's own row. */
export function SheetQuestionPage(): ReactNode {
  const { id, number } = route.useParams();
  const search = route.useSearch();
  const imported = api.useQuery(
    "get",
    "/api/v1/imports/{import_id}",
    { params: { path: { import_id: id } } },
    { enabled: search.sheet === undefined },
  );
  // As in the list: without a name the first sheet is meant.
  const sheet = search.sheet ?? imported.data?.audit.sheets[0]?.path;
  const place = Number(number) - 1;
  const query = api.useQuery(
    "get",
    "/api/v1/imports/{import_id}/questions/{number}",
    {
      params: { path: { import_id: id, number: place }, query: rowQuery({ ...search, sheet: sheet ?? "" }) },
    },
    { placeholderData: keepPreviousData, enabled: sheet !== undefined },
  );
  if (imported.isError) return <NoPage error={imported.error} onRetry={() => imported.refetch()} />;
  if (query.isPending) return <Waiting height={320} />;
  if (!query.data) return <NoPage error={query.error} onRetry={() => query.refetch()} />;
  const { item, sheet: of, scores } = query.data;
  return (
    <>
      <PageHead
        title={label.rowTitle(formatCount(item.row))}
        trail={
          <AnchorLink
            to="/analysis/imports/$id/questions"
            params={{ id }}
            search={listOf({ ...search, sheet: of.path }, query.data.place)}
            size="sm"
          >
            {`${of.model}, ${thresholdName(of.threshold)}`}
          </AnchorLink>
        }
        lead={<Where detail={query.data} />}
        actions={<SheetSteps id={id} detail={query.data} />}
      />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Answers
            detail={{
              question: { text: item.question, reference: item.reference ?? "" },
              answer: item.answer == null ? null : { text: item.answer, raw: item.answer },
              reason: label.noAnswer,
            }}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <SheetScores id={id} sheet={of.path} number={item.number} scores={scores} />
        </Grid.Col>
      </Grid>
    </>
  );
}

/** The file, and where the row stands among those that were looked through. */
function Where({ detail: { item, sheet, place, total } }: { detail: SheetQuestionDetail }) {
  return (
    <>
      {sheet.path}.{" "}
      {place == null ? label.rowOutside : label.rowPlace(formatCount(place + 1), formatCount(total))}
      {item.repeats > 1 && (
        <Text span c="var(--warn-text)">
          {" "}
          {label.rowRepeated(formatCount(item.repeats))}
        </Text>
      )}
    </>
  );
}
