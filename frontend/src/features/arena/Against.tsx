import { Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { arenaQueries } from "@/api/arena";
import type { Tournament, TournamentComparison } from "@/api/types";
import { Facts } from "@/components/Facts";
import { AnchorLink } from "@/components/links";
import { formatAgo } from "@/components/Moment";
import { formatCount, formatScore, formatShare } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { t } from "@/words";
import { useCounted } from "./CountedGames";

/** How far another tournament of the same systems agrees: another judge, seed or choice of documents. */
export function Against({ tournament }: { tournament: Tournament }) {
  const [{ against, seed: _, tournaments: __, ...counted }, put] = useCounted();
  const { data } = useQuery(arenaQueries.list());
  const own = new Set(tournament.entrants.map(({ id }) => id));
  const others = (data?.items ?? [])
    .map((each) => each.tournament)
    .filter((each) => each.id !== tournament.id && each.entrants.filter(({ id }) => own.has(id)).length > 1);
  const query = useQuery({
    ...arenaQueries.comparison(tournament.id, { ...counted, other: against ?? "" }),
    enabled: against !== undefined,
  });
  if (others.length === 0 && against === undefined) return null;
  return (
    <Panel title={t("Comparison with another tournament")}>
      <Select
        label={t("Tournament")}
        description={t("With at least two of these systems; the same games count in both.")}
        data={others.map(({ id, name, created_at }) => ({
          value: id,
          label: `${name}, ${formatAgo(created_at)}`,
        }))}
        value={against ?? null}
        onChange={(id) => put({ against: id ?? undefined })}
        maw={560}
        clearable
        searchable
      />
      <QueryState query={query} />
      {against !== undefined && query.data && (
        <>
          <Facts facts={factsOf(query.data)} />
          <Text size="sm">
            <AnchorLink to="/arena/$id" params={{ id: against }}>
              {t("Show the other tournament")}
            </AnchorLink>
          </Text>
        </>
      )}
    </Panel>
  );
}

function factsOf({ runs, tau, games, same, kappa }: TournamentComparison): [string, string][] {
  const none = t("not defined");
  return [
    [t("Systems in both"), formatCount(runs)],
    [t("Kendall τ-b of the ratings"), tau ? formatScore(tau.tau) : none],
    [t("Games decided in both"), formatCount(games)],
    [
      t("Same outcome"),
      games === 0
        ? none
        : t("{count, number} of {total, number} ({share})", {
            count: same,
            total: games,
            share: formatShare(same / games),
          }),
    ],
    [t("Cohen’s κ"), kappa === null ? none : formatScore(kappa)],
  ];
}
