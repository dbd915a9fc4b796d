import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { datasetQueries } from "@/api/materials";
import type { DatasetSummary } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { AddQuestions } from "@/components/material/AddQuestions";
import { MaterialPage } from "@/components/material/MaterialPage";
import { Quiet } from "@/components/Quiet";
import { type Column, countColumn, DataTable, digestColumn, plainColumn } from "@/components/table";
import { t } from "@/words";
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

const nameOf = ({ name }: DatasetSummary) => name;

/** What the list of datasets shows. */
const COLUMNS: Column<DatasetSummary>[] = [
  plainColumn("name", t("Name"), nameOf),
  plainColumn("language", t("Language"), ({ language }) => language),
  countColumn("questions", t("Questions"), ({ questions }) => questions),
  countColumn("with_gold", t("With gold passages"), ({ with_gold }) => with_gold),
  countColumn("versions", t("Versions"), ({ versions }) => versions),
  digestColumn("newest", t("Newest version"), ({ digest }) => digest),
];
