import { Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "@/api/client";
import { AddQuestions } from "@/components/material/AddQuestions";
import { MaterialPage } from "@/components/material/MaterialPage";
import { MaterialTable } from "@/components/material/MaterialTable";
import { words } from "@/words";
import { COLUMNS, nameOf } from "./columns";

const label = words.datasets;

/** All datasets, and the way to a new one or a new version. */
export function DatasetsPage(): ReactNode {
  const query = api.useQuery("get", "/api/v1/datasets");
  const navigate = useNavigate();
  const open = (name: string) => navigate({ to: "/datasets/$name", params: { name } });
  return (
    <MaterialPage
      words={label}
      query={query}
      onOpen={open}
      table={(items) => (
        <MaterialTable
          name="datasets"
          label={label.title}
          columns={COLUMNS}
          items={items}
          nameOf={nameOf}
          onOpen={open}
        />
      )}
      add={(items) => (
        <>
          {items.length > 0 && (
            <Text size="sm" c="var(--quiet)">
              {label.addVersion}
            </Text>
          )}
          <AddQuestions onAdded={open} />
        </>
      )}
    />
  );
}
