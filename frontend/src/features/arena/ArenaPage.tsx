import { SegmentedControl, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { arenaQueries } from "@/api/arena";
import { sweepQueries } from "@/api/sweeps";
import { TournamentTable } from "@/components/arena/TournamentTable";
import { EmptyState } from "@/components/EmptyState";
import { forRole } from "@/components/ForRole";
import { ButtonLink } from "@/components/links";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { t } from "@/words";
import { ByScore } from "./ByScore";
import { ImportGames } from "./ImportGames";
import { NewTournament } from "./NewTournament";
import { PeopleOfRuns } from "./People";

const route = getRouteApi("/arena");

const WAYS = ["score", "people", "file"] as const;

/** The ways to a tournament, one at a time: who decides its games. */
const Beginnings = forRole("researcher", function Beginnings() {
  const { sweep, by } = route.useSearch();
  const navigate = useNavigate({ from: "/arena" });
  const forms = {
    score: <ByScore sweep={sweep} />,
    people: <PeopleOfRuns sweep={sweep} />,
    file: <ImportGames />,
  };
  return (
    <>
      <SegmentedControl
        w="fit-content"
        aria-label={t("Who decides the games")}
        value={by ?? "judge"}
        onChange={(next) =>
          navigate({
            search: (search) => ({ ...search, by: WAYS.find((way) => way === next) }),
            resetScroll: false,
          })
        }
        data={[
          { value: "judge", label: t("By a judge") },
          { value: "score", label: t("By a score") },
          { value: "people", label: t("By people") },
          { value: "file", label: t("From a file") },
        ]}
      />
      {by === undefined ? <NewTournament sweep={sweep} /> : forms[by]}
    </>
  );
});

/** All tournaments, or those of a sweep, and the ways to a new one. */
export function ArenaPage(): ReactNode {
  const { sweep } = route.useSearch();
  const query = useQuery(arenaQueries.list(sweep));
  const hasSweeps = useQuery(sweepQueries.all()).data?.length !== 0;
  const isEmpty = !hasSweeps && query.data?.items.length === 0;
  return (
    <>
      <PageHead
        title={t("Arena")}
        lead={t(
          "Compares the answers of configurations pair by pair: a judge reads two answers to the same question in both orders and says which is better. The games give ratings with intervals.",
        )}
      />
      <Stack gap="lg">
        {isEmpty ? (
          <EmptyState
            title={t("No finished runs")}
            text={t("A tournament compares the answers of finished runs. Run a sweep first.")}
          >
            <ButtonLink to="/new">{t("Create sweep")}</ButtonLink>
          </EmptyState>
        ) : (
          <Panel title={sweep ? t("Tournaments of this sweep") : t("Tournaments")}>
            <QueryState query={query} height={120} />
            {query.data && query.data.items.length === 0 && (
              <Text c="var(--quiet)">{t("No tournaments yet")}</Text>
            )}
            {query.data && query.data.items.length > 0 && <TournamentTable items={query.data.items} />}
          </Panel>
        )}
        {hasSweeps && <Beginnings />}
      </Stack>
    </>
  );
}
