import { Button, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { collectionQueries } from "@/api/materials";
import { retrievalQueries, type Step, useExportTrec } from "@/api/retrieval";
import { JobProgress } from "@/components/JobProgress";
import { retrieverOf, writersOf } from "@/components/material/retrievers";
import { modelOf } from "@/components/models/value";
import { NoCollections } from "@/components/NoCollections";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { Waiting } from "@/components/Waiting";
import { Warnings } from "@/components/Warnings";
import { saveBlob } from "@/figures/save";
import { t } from "@/words";
import { Choice } from "./Choice";
import { Grading } from "./Grading";
import { OtherSystems } from "./OtherSystems";
import { QuestionRankings } from "./QuestionRankings";
import { Results } from "./Results";

/** Every cut of the curves. */
const CUTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const route = getRouteApi("/retrieval");

/** Compares retrievers without a model; the choice is in the address. */
export function RetrievalPage(): ReactNode {
  const { collection, dataset, retrievers, by = "passage", group, category, ...others } = route.useSearch();
  const isEmpty = useQuery(collectionQueries.list()).data?.items.length === 0;
  return (
    <>
      <PageHead
        title={t("Retrieval")}
        lead={t(
          "Compares retrievers on the questions of a dataset: how often, and how early, they find the passages that contain the answer. A model is called only by RAG-Fusion and by reranking with a model.",
        )}
      />
      {isEmpty ? (
        <NoCollections
          text={t(
            "Retrievers search the passages of a collection for the questions of a dataset. Add both, or load an example.",
          )}
        />
      ) : (
        <Stack gap="lg">
          <Choice key={`${collection} ${dataset} ${retrievers} ${by} ${group} ${category}`} />
          {collection && dataset && retrievers && (
            <Compared
              collection={collection}
              dataset={dataset}
              retrievers={retrievers.split("~")}
              by={by}
              group={group ?? null}
              category={category ?? null}
              runs={others.runs?.split("~") ?? []}
              qrels={others.qrels ?? null}
              question={others.question}
            />
          )}
          <OtherSystems />
        </Stack>
      )}
    </>
  );
}

interface Compared {
  collection: string;
  dataset: string;
  retrievers: string[];
  by: "passage" | "document";
  group: string | null;
  category: string | null;
  /** Id of the question whose rankings are shown. */
  question: string | undefined;
  /** Names of imported rankings. */
  runs: string[];
  /** Name of the imported grades that replace the gold passages. */
  qrels: string | null;
}

function Compared({ retrievers, question, ...compared }: Compared) {
  const body = { ...compared, ks: CUTS, retrievers: retrievers.map(retrieverOf) };
  const [step, setStep] = useState<Step | null>(null);
  const query = useQuery(retrievalQueries.compared(body, setStep));
  const trec = useExportTrec(body);
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  if (!query.data) {
    return (
      <>
        <JobProgress
          label={t("Searching. Each retriever ranks passages for each question.")}
          message={step && t("Rankings of all questions by {retriever}", { retriever: step.message })}
          done={step?.done ?? 0}
          total={step?.total ?? 0}
        />
        {writersOf(retrievers).map((writer) => (
          <Quiet key={writer}>
            {t(
              "Requests are sent to {model}, which can take minutes. Its replies are stored: if you close this page, no more requests are sent, and the comparison continues when you open the page again.",
              { model: modelOf(writer).name },
            )}
          </Quiet>
        ))}
        <Waiting height={240} />
      </>
    );
  }
  return (
    <>
      <Warnings warnings={query.data.warnings} />
      <Results report={query.data} />
      {question && <QuestionRankings body={{ ...body, question_id: question }} />}
      {body.by === "passage" && <Grading body={body} />}
      <Group>
        <Button
          variant="default"
          loading={trec.isPending}
          onClick={() => trec.mutate(undefined, { onSuccess: (zip) => saveBlob(zip, "trec.zip") })}
        >
          {t("Save as TREC files")}
        </Button>
      </Group>
    </>
  );
}
