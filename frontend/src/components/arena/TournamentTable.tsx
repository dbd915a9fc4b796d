import type { ListedTournament } from "@/api/types";
import { StateBadge } from "@/components/StateBadge";
import {
  type Column,
  countColumn,
  DataTable,
  momentColumn,
  plainColumn,
  textColumn,
} from "@/components/table";
import { t } from "@/words";

const SOURCES = {
  judge: t("Judge"),
  rule: t("Score"),
  import: t("Imported file"),
  person: t("People"),
};

const COLUMNS: Column<ListedTournament>[] = [
  textColumn("name", t("Name"), ({ tournament }) => tournament.name),
  plainColumn("source", t("Decided by"), ({ tournament }) => SOURCES[tournament.source]),
  countColumn("systems", t("Systems"), ({ tournament }) => tournament.entrants.length),
  plainColumn("state", t("State"), stateOf, {
    reason: t(
      "People can rate these games until their links expire. The tournament shows how many are rated.",
    ),
    cell: (listed) => {
      const state = stateOf(listed);
      return state && <StateBadge state={state} />;
    },
  }),
  momentColumn("created", t("Created", {}, "tournament"), ({ tournament }) => tournament.created_at),
];

/** Nobody computes the games of people, so none is finished when they have been drawn. */
function stateOf({ tournament, job }: ListedTournament) {
  return job?.state ?? (tournament.source === "person" ? null : "finished");
}

export function TournamentTable({ items }: { items: ListedTournament[] }) {
  return (
    <DataTable
      name="tournaments"
      label={t("Tournaments")}
      columns={COLUMNS}
      rows={items}
      keyOf={({ tournament }) => tournament.id}
      open={({ tournament }) => ({ to: "/arena/$id", params: { id: tournament.id } })}
      isShort
    />
  );
}
