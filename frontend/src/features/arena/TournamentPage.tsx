import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { arenaQueries, isPlaying } from "@/api/arena";
import type { Standings, Tournament } from "@/api/types";
import { JudgingProgress } from "@/components/judging/JudgingProgress";
import { ButtonLink, SmallLink } from "@/components/links";
import { PageState } from "@/components/NoPage";
import { PageHead } from "@/components/PageHead";
import { QueryState } from "@/components/QueryState";
import { StateBadge } from "@/components/StateBadge";
import { Waiting } from "@/components/Waiting";
import { Warnings } from "@/components/Warnings";
import { t } from "@/words";
import { AddedSystems } from "./AddedSystems";
import { Against } from "./Against";
import { CountedGames, useCounted } from "./CountedGames";
import { GamePanel } from "./GamePanel";
import { Games } from "./Games";
import { JudgeFigures } from "./JudgeFigures";
import { People } from "./People";
import { Raters } from "./Raters";
import { Ratings } from "./Ratings";
import { WinMatrix } from "./WinMatrix";

const route = getRouteApi("/arena/$id");

/** One tournament: ratings, who won against whom, what else decided, and the games. */
export function TournamentPage(): ReactNode {
  const { id } = route.useParams();
  const { system, opponent, question, a, b } = route.useSearch();
  const detail = useQuery(arenaQueries.detail(id));
  const moves = detail.data !== undefined && isPlaying(detail.data);
  const [{ against: _, ...counted }] = useCounted();
  const ratings = useQuery({
    ...arenaQueries.ratings(id, moves, counted),
    enabled: detail.data !== undefined,
  });
  const { refetch } = ratings;
  const isKnown = detail.data !== undefined;
  // The last ratings may have been read before the last game.
  useEffect(() => {
    if (isKnown && !moves) void refetch();
  }, [isKnown, moves, refetch]);
  if (!detail.data) return <PageState query={detail} height={240} />;
  const { tournament, job } = detail.data;
  const { sweep_id } = tournament;
  const standings = ratings.data;
  return (
    <>
      <PageHead
        title={titleOf(tournament)}
        trail={<SmallLink to="/arena">{t("Arena")}</SmallLink>}
        beside={job && <StateBadge state={job.state} />}
        actions={
          <Group gap="xs">
            {sweep_id && (
              <ButtonLink to="/sweeps/$id" params={{ id: sweep_id }} variant="default">
                {t("Show sweep")}
              </ButtonLink>
            )}
          </Group>
        }
      />
      <Stack gap="lg">
        {job && <JudgingProgress job={job} cancel={t("Cancel tournament")} />}
        <QueryState query={ratings} />
        {!standings && !ratings.isError && <Waiting height={240} />}
        {standings && <Figures standings={standings} isByPeople={tournament.source === "person"} />}
        {standings && tournament.source === "judge" && (
          <AddedSystems listed={detail.data} standings={standings} />
        )}
        {/* Not before the ratings, which would move what is below them. */}
        {!ratings.isPending && <OfPeople tournament={tournament} />}
        {standings && <Against tournament={tournament} />}
        {system && opponent && <Games tournament={tournament} system={system} opponent={opponent} />}
        {question && a && b && <GamePanel tournament={tournament} game={{ question, a, b }} />}
      </Stack>
    </>
  );
}

/** A tournament of people has the name of the one that its games were drawn from. */
function titleOf({ name, source }: Tournament): string {
  return source === "person" ? t("People: {name}", { name }) : name;
}

/** Raters of a tournament of people, and the way to have people decide games of another one. */
function OfPeople({ tournament }: { tournament: Tournament }) {
  const { id, source } = tournament;
  if (source === "import") return null;
  return source === "person" ? <Raters tournament={tournament} /> : <People id={id} />;
}

/** Ratings and figures as far as the games are played; where the judge fails, what shows it comes first. */
function Figures({ standings, isByPeople }: { standings: Standings; isByPeople: boolean }) {
  const { swap } = standings;
  const judge = <JudgeFigures standings={standings} />;
  const fails = swap !== null && (swap.prefers !== null || !swap.carries_information);
  return (
    <>
      <Warnings warnings={standings.warnings} />
      {standings.reason && (
        <Text role="status">
          {standings.reason !== "no_games"
            ? t("No ratings: no games connect these configurations.")
            : isByPeople
              ? t("No rater has decided a game yet. Send each rater their link; ratings appear here.")
              : t("No game has an outcome.")}
        </Text>
      )}
      {fails && judge}
      {standings.reason === null && <Ratings standings={standings} />}
      <CountedGames standings={standings} />
      {!fails && judge}
      {standings.matrix.length > 0 && <WinMatrix standings={standings} />}
    </>
  );
}
