import type { CollectionDetail } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { counted, named } from "@/components/material/columns";
import { formatCount } from "@/components/numbers/format";
import type { Column } from "@/components/table/columns";
import { words } from "@/words";

const label = words.collections;

export const nameOf = ({ collection }: CollectionDetail) => collection.name;

function cut(id: "chunk_size" | "chunk_overlap", heading: string): Column<CollectionDetail> {
  const of = ({ collection: { chunking } }: CollectionDetail) =>
    label.chunk(formatCount(chunking[id]), words.materials.units[chunking.unit]);
  return {
    id,
    label: heading,
    isNumber: true,
    cell: of,
    text: of,
    by: ({ collection }) => collection.chunking[id],
  };
}

/** What the list of collections shows. */
export const COLUMNS: Column<CollectionDetail>[] = [
  named("name", label.name, nameOf, (item) => (
    <AnchorLink to="/collections/$name" params={{ name: nameOf(item) }} size="sm" fw={550}>
      {nameOf(item)}
    </AnchorLink>
  )),
  counted("documents", label.documents, ({ documents }) => documents.length),
  counted("passages", label.passages, ({ passages }) => passages),
  named("embedding", label.embedding, ({ collection }) => collection.embedding.name),
  cut("chunk_size", label.size),
  cut("chunk_overlap", label.overlap),
];
