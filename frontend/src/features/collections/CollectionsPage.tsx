import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "@/api/client";
import { AddDocuments } from "@/components/material/AddDocuments";
import { MaterialPage } from "@/components/material/MaterialPage";
import { MaterialTable } from "@/components/material/MaterialTable";
import { words } from "@/words";
import { COLUMNS, nameOf } from "./columns";

const label = words.collections;

/** All collections, and the way to a new one. */
export function CollectionsPage(): ReactNode {
  const query = api.useQuery("get", "/api/v1/collections");
  const navigate = useNavigate();
  const open = (name: string) => navigate({ to: "/collections/$name", params: { name } });
  return (
    <MaterialPage
      words={label}
      query={query}
      onOpen={open}
      table={(items) => (
        <MaterialTable
          name="collections"
          label={label.title}
          columns={COLUMNS}
          items={items}
          nameOf={nameOf}
          onOpen={open}
        />
      )}
      add={(items) => (
        <AddDocuments
          collections={items.map(({ collection }) => collection)}
          into=""
          // What was refused is read here, before one goes on.
          onAdded={(name, whole) => whole && open(name)}
        />
      )}
    />
  );
}
