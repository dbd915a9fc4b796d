import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { collectionQueries } from "@/api/materials";
import type { CollectionDetail } from "@/api/types";
import { AddDocuments, QuestionsNext } from "@/components/material/AddDocuments";
import { MaterialPage } from "@/components/material/MaterialPage";
import { type Column, countColumn, DataTable, plainColumn } from "@/components/table";
import { t } from "@/words";
import { UNITS } from "@/words/units";

/** All collections, and the way to a new one. */
export function CollectionsPage(): ReactNode {
  const query = useQuery(collectionQueries.list());
  const navigate = useNavigate();
  const [added, setAdded] = useState("");
  const open = (name: string) => navigate({ to: "/collections/$name", params: { name } });
  return (
    <MaterialPage
      words={{
        title: t("Collections"),
        lead: t("A collection contains documents split into passages for retrieval."),
        emptyTitle: t("No collections yet"),
        empty: t(
          "Add documents below: drop files, paste text or enter a web address. PaSSER splits them into passages.",
        ),
        add: t("New documents"),
      }}
      query={query}
      onOpen={open}
      jobs={{ kind: ["ingest", "example"] }}
      table={(items) => (
        <DataTable
          name="collections"
          at=""
          label={t("Collections")}
          columns={COLUMNS}
          rows={items}
          keyOf={nameOf}
          open={(item) => ({ to: "/collections/$name", params: { name: nameOf(item) } })}
        />
      )}
      add={(items) => (
        <>
          <AddDocuments
            collections={items.map(({ collection }) => collection)}
            into=""
            // The page of the collection is not opened while there are refused files to read about here.
            onAdded={(name, whole) => (whole ? open(name) : setAdded(name))}
          />
          {added && <QuestionsNext collection={added} />}
        </>
      )}
    />
  );
}

const nameOf = ({ collection }: CollectionDetail) => collection.name;

function cut(id: "chunk_size" | "chunk_overlap", heading: string): Column<CollectionDetail> {
  return plainColumn(id, heading, ({ collection }) => collection.chunking[id], {
    kind: "number",
    cell: ({ collection: { chunking } }) =>
      t("{size, number} {unit}", { size: chunking[id], unit: UNITS[chunking.unit] }),
  });
}

/** What the list of collections shows. */
const COLUMNS: Column<CollectionDetail>[] = [
  plainColumn("name", t("Name"), nameOf),
  countColumn("documents", t("Documents"), ({ documents }) => documents.length),
  countColumn("passages", t("Passages"), ({ passages }) => passages),
  plainColumn("embedding", t("Embedding model"), ({ collection }) => collection.embedding.name),
  cut("chunk_size", t("Passage size")),
  cut("chunk_overlap", t("Overlap")),
];
