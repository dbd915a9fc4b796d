import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { collectionQueries } from "@/api/materials";
import { AddDocuments, QuestionsNext } from "@/components/material/AddDocuments";
import { MaterialPage } from "@/components/material/MaterialPage";
import { DataTable } from "@/components/table";
import { t } from "@/words";
import { COLUMNS, nameOf } from "./columns";

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
