import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { retrievalQueries } from "@/api/materials";
import { retrieverOf } from "@/components/material/retrievers";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Waiting } from "@/components/Waiting";
import { Warnings } from "@/components/Warnings";
import { t } from "@/words";
import { Choice } from "./Choice";
import { Results } from "./Results";

const route = getRouteApi("/retrieval");

/** Retrievers compared without a model; what is compared stands in the address. */
export function RetrievalPage(): ReactNode {
  const { collection, dataset, retrievers, by = "passage" } = route.useSearch();
  return (
    <>
      <PageHead
        title={t("Retrieval")}
        lead={t(
          "Compares retrievers on the questions of a dataset: how often, and how early, they find the passages that contain the answer. A model is called only by RAG-Fusion.",
        )}
      />
      <Stack gap="lg">
        <Choice key={`${collection} ${dataset} ${retrievers} ${by}`} />
        {collection && dataset && retrievers && (
          <Compared collection={collection} dataset={dataset} retrievers={retrievers.split("~")} by={by} />
        )}
      </Stack>
    </>
  );
}

interface Compared {
  collection: string;
  dataset: string;
  retrievers: string[];
  by: "passage" | "document";
}

function Compared({ collection, dataset, retrievers, by }: Compared) {
  const query = useQuery(
    retrievalQueries.compared({
      collection,
      dataset,
      by,
      ks: [1, 3, 5, 10],
      retrievers: retrievers.map(retrieverOf),
    }),
  );
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  if (!query.data) {
    return (
      <>
        <Text role="status">{t("Searching. Each question is ranked by each retriever.")}</Text>
        <Waiting height={240} />
      </>
    );
  }
  return (
    <>
      <Warnings title={t("Warnings")} warnings={query.data.warnings} />
      {query.data.n_judged > 0 && <Results report={query.data} />}
    </>
  );
}
