import { Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { datasetQueries } from "@/api/materials";
import { retrievalQueries } from "@/api/retrieval";
import type { QuestionRequest, RankingParts } from "@/api/types";
import { Searched } from "@/components/evaluation/Searched";
import { formatScore } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { type Column, countColumn, DataTable, plainColumn } from "@/components/table";
import { useArrival } from "@/components/useArrival";
import { Waiting } from "@/components/Waiting";
import { t } from "@/words";
import { PassageRatings } from "./PassageRatings";

type Placed = RankingParts["passages"][number];

/** The rankings of one question, each beside the rankings that it was made of. */
export function QuestionRankings({ body }: { body: QuestionRequest }) {
  const query = useQuery(retrievalQueries.question(body));
  const dataset = useQuery(datasetQueries.detail(body.dataset));
  const question = dataset.data?.questions.find(({ id }) => id === body.question_id);
  const title = t("Rankings of question {id}", { id: body.question_id });
  // It stands below the table of all questions.
  useArrival(query.data !== undefined, "rankings");
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  return (
    <div id="rankings">
      <Panel title={title}>
        {query.data ? (
          <Stack gap="xl">
            {question && (
              <Text className="written" fw={600}>
                {question.text}
              </Text>
            )}
            <Quiet>
              {t(
                "A merged score is the sum of 1 / (k + rank) of a passage over the merged rankings. Relevant passages are marked.",
              )}
            </Quiet>
            {query.data.items.map((ranking, place) => (
              <Ranked
                key={ranking.label}
                ranking={ranking}
                at={`parts${place}`}
                isGraded={body.qrels != null}
              />
            ))}
            <PassageRatings body={body} rankings={query.data.items} />
          </Stack>
        ) : (
          <Waiting height={240} />
        )}
      </Panel>
    </div>
  );
}

/** Characters of a passage that the ranking shows. */
const SHOWN = 160;

function beginning(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

interface Props {
  ranking: RankingParts;
  at: string;
  /** Whether grades, not gold passages, say what is relevant. */
  isGraded: boolean;
}

function Ranked({ ranking, at, isGraded }: Props) {
  const { label, parts, passages, rewriting } = ranking;
  const columns: Column<Placed>[] = [
    plainColumn("passage", t("Passage"), ({ passage }) => `${passage.document} #${passage.number}`, {
      note: ({ passage, grade }) => (
        <>
          {grade ? <strong>{isGraded ? t("Grade {grade, number}", { grade }) : t("Relevant")}</strong> : null}{" "}
          {beginning(passage.text)}
        </>
      ),
    }),
    countColumn("rank", t("Rank"), ({ passage }) => passage.rank),
    plainColumn("similarity", t("Similarity"), ({ passage }) => passage.similarity, {
      format: (value: number) => formatScore(value, 3),
    }),
    plainColumn("score", t("Score"), ({ passage }) => passage.score, {
      format: (value: number) => formatScore(value, 4),
      reason: t("Ordered by similarity"),
    }),
    ...parts.map(
      (part, place): Column<Placed> =>
        countColumn(`${place} ${part}`, part, ({ places }) => places?.[place]?.rank, {
          reason: t("Not in this ranking"),
          note: ({ places }) => {
            const share = places?.[place]?.share;
            return share == null ? null : `+${formatScore(share, 4)}`;
          },
        }),
    ),
  ];
  return (
    <section>
      <Title order={3} size="h4">
        {label}
      </Title>
      {rewriting && <Searched rewriting={rewriting} />}
      <DataTable
        name="retrieval-parts"
        at={at}
        label={t("Ranking by {retriever}", { retriever: label })}
        columns={columns}
        rows={passages}
        keyOf={({ passage }) => passage.id}
      />
    </section>
  );
}
