import type { ListedTournament } from "@/api/types";
import { Moment } from "@/components/Moment";
import { formatCount } from "@/components/numbers/format";
import { StateBadge } from "@/components/StateBadge";
import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import { t } from "@/words";

const SOURCES = {
  judge: t("Judge"),
  rule: t("Score"),
  import: t("Imported file"),
  person: t("People"),
};

const COLUMNS: Column<ListedTournament>[] = [
  { id: "name", label: t("Name"), kind: "text", value: ({ tournament }) => tournament.name },
  { id: "source", label: t("Decided by"), value: ({ tournament }) => SOURCES[tournament.source] },
  {
    id: "systems",
    label: t("Systems"),
    value: ({ tournament }) => tournament.entrants.length,
    format: formatCount,
  },
  {
    id: "state",
    label: t("State"),
    value: ({ job }) => job?.state ?? "finished",
    cell: ({ job }) => <StateBadge state={job?.state ?? "finished"} />,
  },
  {
    id: "created",
    label: t("Created"),
    value: ({ tournament }) => tournament.created_at,
    cell: ({ tournament }) => <Moment at={tournament.created_at} />,
  },
];

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
