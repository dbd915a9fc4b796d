import type { CollectionDetail } from "@/api/types";
import { formatCount } from "@/components/numbers/format";
import type { Column } from "@/components/table/columns";
import { t } from "@/words";
import { UNITS } from "@/words/units";

export const nameOf = ({ collection }: CollectionDetail) => collection.name;

function cut(id: "chunk_size" | "chunk_overlap", heading: string): Column<CollectionDetail> {
  return {
    id,
    label: heading,
    kind: "number",
    value: ({ collection }) => collection.chunking[id],
    cell: ({ collection: { chunking } }) =>
      t("{size, number} {unit}", { size: chunking[id], unit: UNITS[chunking.unit] }),
  };
}

/** What the list of collections shows. */
export const COLUMNS: Column<CollectionDetail>[] = [
  { id: "name", label: t("Name"), value: nameOf },
  {
    id: "documents",
    label: t("Documents"),
    value: ({ documents }) => documents.length,
    format: formatCount,
  },
  { id: "passages", label: t("Passages"), value: ({ passages }) => passages, format: formatCount },
  { id: "embedding", label: t("Embedding model"), value: ({ collection }) => collection.embedding.name },
  cut("chunk_size", t("Passage size")),
  cut("chunk_overlap", t("Overlap")),
];
