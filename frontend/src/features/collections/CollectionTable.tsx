import { useNavigate } from "@tanstack/react-router";
import type { CollectionDetail } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { formatCount } from "@/components/numbers/format";
import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import { useTable } from "@/components/table/useTable";
import { words } from "@/words";

const label = words.collections;
const nameOf = ({ collection }: CollectionDetail) => collection.name;

function cut(value: number, { collection: { chunking } }: CollectionDetail): string {
  return label.chunk(formatCount(value), words.materials.units[chunking.unit]);
}

const COLUMNS: Column<CollectionDetail>[] = [
  {
    id: "name",
    label: label.name,
    cell: (item) => (
      <AnchorLink to="/collections/$name" params={{ name: nameOf(item) }} size="sm" fw={550}>
        {nameOf(item)}
      </AnchorLink>
    ),
    text: nameOf,
    by: nameOf,
  },
  {
    id: "documents",
    label: label.documents,
    isNumber: true,
    cell: ({ documents }) => formatCount(documents.length),
    text: ({ documents }) => String(documents.length),
    by: ({ documents }) => documents.length,
  },
  {
    id: "passages",
    label: label.passages,
    isNumber: true,
    cell: ({ passages }) => formatCount(passages),
    text: ({ passages }) => String(passages),
    by: ({ passages }) => passages,
  },
  {
    id: "embedding",
    label: label.embedding,
    cell: ({ collection }) => collection.embedding.name,
    text: ({ collection }) => collection.embedding.name,
    by: ({ collection }) => collection.embedding.name,
  },
  {
    id: "size",
    label: label.size,
    isNumber: true,
    cell: (item) => cut(item.collection.chunking.chunk_size, item),
    text: (item) => cut(item.collection.chunking.chunk_size, item),
    by: ({ collection }) => collection.chunking.chunk_size,
  },
  {
    id: "overlap",
    label: label.overlap,
    isNumber: true,
    cell: (item) => cut(item.collection.chunking.chunk_overlap, item),
    text: (item) => cut(item.collection.chunking.chunk_overlap, item),
    by: ({ collection }) => collection.chunking.chunk_overlap,
  },
];

/** All collections; a row opens its collection. */
export function CollectionTable({ items }: { items: CollectionDetail[] }) {
  const navigate = useNavigate();
  const table = useTable("collections", COLUMNS);
  return (
    <DataTable
      label={label.title}
      columns={COLUMNS}
      rows={items}
      table={table}
      keyOf={nameOf}
      nameOf={nameOf}
      onOpen={(item) => navigate({ to: "/collections/$name", params: { name: nameOf(item) } })}
    />
  );
}
