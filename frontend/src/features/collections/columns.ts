import type { CollectionDetail } from "@/api/types";
import { type Column, countColumn, plainColumn } from "@/components/table";
import { t } from "@/words";
import { UNITS } from "@/words/units";

export const nameOf = ({ collection }: CollectionDetail) => collection.name;

function cut(id: "chunk_size" | "chunk_overlap", heading: string): Column<CollectionDetail> {
  return plainColumn(id, heading, ({ collection }) => collection.chunking[id], {
    kind: "number",
    cell: ({ collection: { chunking } }) =>
      t("{size, number} {unit}", { size: chunking[id], unit: UNITS[chunking.unit] }),
  });
}

/** What the list of collections shows. */
export const COLUMNS: Column<CollectionDetail>[] = [
  plainColumn("name", t("Name"), nameOf),
  countColumn("documents", t("Documents"), ({ documents }) => documents.length),
  countColumn("passages", t("Passages"), ({ passages }) => passages),
  plainColumn("embedding", t("Embedding model"), ({ collection }) => collection.embedding.name),
  cut("chunk_size", t("Passage size")),
  cut("chunk_overlap", t("Overlap")),
];
