import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { arenaQueries } from "@/api/arena";
import type { Game, Tournament } from "@/api/types";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { type Column, countColumn, DataTable, textColumn } from "@/components/table";
import { t } from "@/words";
import { reasonOf } from "@/words/reasons";
import { countedOf } from "./counted";
import { howOf, LETTERS } from "./words";

const route = getRouteApi("/arena/$id");

interface Props {
  tournament: Tournament;
  system: string;
  opponent: string;
}

/** The games of two systems; each leads to its texts. */
export function Games({ tournament, system, opponent }: Props) {
  const { counted } = route.useSearch();
  const { inconsistent, same_answer } = countedOf(counted);
  const isCounted = ({ how }: Game) =>
    !(how === "inconsistent" && inconsistent) && !(how === "same_answer" && same_answer);
  const query = useQuery(arenaQueries.games(tournament.id, system, opponent));
  const names = new Map(tournament.entrants.map(({ id, name }) => [id, name]));
  const title = t("Games of {one} and {other}", {
    one: names.get(system) ?? system,
    other: names.get(opponent) ?? opponent,
  });
  return (
    <Panel title={title}>
      <QueryState query={query} height={120} />
      {query.data && (
        <DataTable
          name="arena-games"
          at="games"
          label={title}
          columns={columnsOf(names)}
          rows={query.data.items.filter(isCounted)}
          keyOf={({ question_id }) => question_id}
          open={({ question_id, a, b }) => ({
            to: "/arena/$id",
            params: { id: tournament.id },
            search: { counted, system, opponent, question: question_id, a, b },
            resetScroll: false,
          })}
        />
      )}
    </Panel>
  );
}

function columnsOf(names: ReadonlyMap<string, string>): Column<Game>[] {
  return [
    textColumn("question", t("Question"), ({ question_id }) => question_id),
    textColumn("winner", t("Winner"), (game) => winnerOf(game, names), {
      reason: ({ reason }) => reasonOf(reason),
    }),
    textColumn("how", t("Decision"), howOf),
    {
      id: "verdicts",
      label: t("Verdicts"),
      value: ({ verdicts = [] }) => verdicts.map(({ verdict }) => LETTERS[verdict ?? "none"]).join(" "),
      title: t(
        "A means that the answer shown first won, B the second, C a tie. There is one letter for each order or rater.",
      ),
    },
    ...([0, 1] as const).map(
      (side): Column<Game> =>
        countColumn(
          side === 0 ? "words-a" : "words-b",
          side === 0 ? t("Words of A") : t("Words of B"),
          ({ styles }) => styles?.[side]?.words,
          { isExtra: true },
        ),
    ),
  ];
}

/** The name of the winner, or that there is none. */
export function winnerOf({ outcome, a, b }: Game, names: ReadonlyMap<string, string>): string | null {
  if (outcome === null) return null;
  if (outcome === "tie") return t("Tie");
  const id = outcome === "a" ? a : b;
  return names.get(id) ?? id;
}
