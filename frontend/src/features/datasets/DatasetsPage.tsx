import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { datasetQueries } from "@/api/materials";
import { AnchorLink } from "@/components/links";
import { AddQuestions } from "@/components/material/AddQuestions";
import { MaterialPage } from "@/components/material/MaterialPage";
import { Quiet } from "@/components/Quiet";
import { DataTable } from "@/components/table";
import { t } from "@/words";
import { COLUMNS, nameOf } from "./columns";
import { RageloImport } from "./RageloImport";

/** All datasets, and the way to a new one or a new version. */
export function DatasetsPage(): ReactNode {
  const query = useQuery(datasetQueries.list());
  const navigate = useNavigate();
  const open = (name: string) => navigate({ to: "/datasets/$name", params: { name } });
  return (
    <MaterialPage
      words={{
        title: t("Datasets"),
        lead: t(
          "A dataset contains questions with reference answers. Every run asks them in the same order.",
        ),
        emptyTitle: t("No datasets yet"),
        empty: t(
          "Drop a file with questions below. Before the import you see how each column is read and which rows have errors.",
        ),
        add: t("New questions"),
      }}
      query={query}
      onOpen={open}
      jobs={{ kind: ["dataset", "example", "ragelo", "answers"] }}
      table={(items) => (
        <DataTable
          name="datasets"
          at=""
          label={t("Datasets")}
          columns={COLUMNS}
          rows={items}
          keyOf={nameOf}
          open={(item) => ({ to: "/datasets/$name", params: { name: nameOf(item) } })}
        />
      )}
      add={(items) => (
        <>
          {items.length > 0 && (
            <Quiet>
              {t(
                "A file imported under an existing name becomes the newest version. Earlier versions are kept.",
              )}
            </Quiet>
          )}
          <AddQuestions onAdded={open} />
          <Text size="sm">
            {t("No questions yet?")}{" "}
            <AnchorLink to="/drafts" search={{}}>
              {t("New questions from documents")}
            </AnchorLink>
          </Text>
          <RageloImport />
        </>
      )}
    />
  );
}
