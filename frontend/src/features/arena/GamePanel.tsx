import { SimpleGrid, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { arenaQueries } from "@/api/arena";
import type { ReadGame, Tournament } from "@/api/types";
import { Judgement } from "@/components/judging/Judgement";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { t } from "@/words";
import classes from "./GamePanel.module.css";
import { winnerOf } from "./Games";
import { howOf, LETTERS } from "./words";

interface Props {
  tournament: Tournament;
  game: { question: string; a: string; b: string };
}

/** One game: question, both answers, documents, and what the judge said in each order. */
export function GamePanel({ tournament, game }: Props) {
  const query = useQuery(arenaQueries.game(tournament.id, game));
  const names = new Map(tournament.entrants.map(({ id, name }) => [id, name]));
  return (
    <Panel title={t("Game on question {id}", { id: game.question })}>
      <QueryState query={query} height={200} />
      {query.data && <Texts read={query.data} names={names} />}
    </Panel>
  );
}

/** A badge on an answer that is not whole. */
function Cut({ style }: { style: NonNullable<ReadGame["game"]["styles"]>[number] | undefined }) {
  if (!style?.truncated) return null;
  return (
    <span className={classes.cut}>
      {style.truncated === "answer" ? t("Answer truncated") : t("Prompt truncated")}
    </span>
  );
}

function Texts({ read, names }: { read: ReadGame; names: ReadonlyMap<string, string> }) {
  const { game, question, answers, documents, judgements } = read;
  const winner = winnerOf(game, names);
  return (
    <Stack gap="md">
      <Text>
        {winner === null ? howOf(game) : t("Winner: {name}. {how}.", { name: winner, how: howOf(game) })}
      </Text>
      {question && (
        <Text className="written" fw={550}>
          {question}
        </Text>
      )}
      {answers && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          {([game.a, game.b] as const).map((run, side) => (
            <Stack key={run} gap={4}>
              <h3 className={classes.label}>
                {names.get(run) ?? run}
                <Cut style={game.styles?.[side]} />
              </h3>
              <Text className={classes.answer ?? ""}>{answers[side] || t("(empty answer)")}</Text>
            </Stack>
          ))}
        </SimpleGrid>
      )}
      {!answers && <Text c="var(--quiet)">{t("The texts of imported games are not known.")}</Text>}
      {judgements.map(({ judgement }, place) => {
        const shown = game.verdicts?.[place];
        const first = shown?.first === "b" ? game.b : game.a;
        return (
          <Stack key={judgement.key} gap={4}>
            <h3 className={classes.label}>
              {t("Shown first: {name}. Verdict: {letter}", {
                name: names.get(first) ?? first,
                letter: LETTERS[shown?.verdict ?? "none"],
              })}
            </h3>
            <Judgement id={judgement.key} />
          </Stack>
        );
      })}
      {game.verdicts
        ?.filter(({ rater }) => rater)
        .map(({ rater, first, verdict }) => (
          <Text key={rater} size="sm">
            {t("{rater}: shown first {name}, verdict {letter}", {
              rater: rater ?? "",
              name: names.get(first === "b" ? game.b : game.a) ?? first,
              letter: LETTERS[verdict ?? "none"],
            })}
          </Text>
        ))}
      {documents.length > 0 && (
        <details>
          <summary>
            {t("{count, plural, one {# document} other {# documents}} available for the decision", {
              count: documents.length,
            })}
          </summary>
          <ol className={classes.documents}>
            {documents.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ol>
        </details>
      )}
    </Stack>
  );
}
