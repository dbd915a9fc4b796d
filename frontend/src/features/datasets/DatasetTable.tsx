import { useNavigate } from "@tanstack/react-router";
import type { DatasetSummary } from "@/api/types";
import { Digest } from "@/components/Digest";
import { AnchorLink } from "@/components/links";
import { formatCount } from "@/components/numbers/format";
import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import { useTable } from "@/components/table/useTable";
import { words } from "@/words";

const label = words.datasets;
const nameOf = ({ name }: DatasetSummary) => name;

function count(id: "questions" | "with_gold" | "versions", text: string): Column<DatasetSummary> {
  return {
    id,
    label: text,
    isNumber: true,
    cell: (item) => formatCount(item[id]),
    text: (item) => String(item[id]),
    by: (item) => item[id],
  };
}

const COLUMNS: Column<DatasetSummary>[] = [
  {
    id: "name",
    label: label.name,
    cell: ({ name }) => (
      <AnchorLink to="/datasets/$name" params={{ name }} size="sm" fw={550}>
        {name}
      </AnchorLink>
    ),
    text: nameOf,
    by: nameOf,
  },
  {
    id: "language",
    label: label.language,
    cell: ({ language }) => language,
    text: ({ language }) => language,
    by: ({ language }) => language,
  },
  count("questions", label.questions),
  count("with_gold", label.withGold),
  count("versions", label.versions),
  {
    id: "newest",
    label: label.newest,
    cell: ({ digest }) => <Digest value={digest} />,
    text: ({ digest }) => digest,
  },
];

/** All datasets; a row opens its dataset. */
export function DatasetTable({ items }: { items: DatasetSummary[] }) {
  const navigate = useNavigate();
  const table = useTable("datasets", COLUMNS);
  return (
    <DataTable
      label={label.title}
      columns={COLUMNS}
      rows={items}
      table={table}
      keyOf={nameOf}
      nameOf={nameOf}
      onOpen={({ name }) => navigate({ to: "/datasets/$name", params: { name } })}
    />
  );
}
