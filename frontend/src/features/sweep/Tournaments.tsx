import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { arenaQueries } from "@/api/arena";
import type { SweepDetail } from "@/api/types";
import { TournamentTable } from "@/components/arena/TournamentTable";
import { ForRole } from "@/components/ForRole";
import { ButtonLink } from "@/components/links";
import { Panel } from "@/components/Panel";
import { t } from "@/words";

/** The tournaments of a sweep, and the way to a new one. */
export function Tournaments({ sweep: { id, runs } }: { sweep: SweepDetail }) {
  const { data } = useQuery(arenaQueries.list(id));
  if (runs.length < 2) return null;
  const items = data?.items ?? [];
  return (
    <Panel title={t("Arena")}>
      {items.length > 0 ? (
        <TournamentTable items={items} />
      ) : (
        <Text size="sm">{t("A judge can compare the answers of these configurations pair by pair.")}</Text>
      )}
      <ForRole>
        <Group>
          <ButtonLink to="/arena" search={{ sweep: id }} variant="default">
            {t("New tournament")}
          </ButtonLink>
        </Group>
      </ForRole>
    </Panel>
  );
}
