import { FileInput, MultiSelect, type MultiSelectProps, Select, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { retrievalQueries, useSaveTermMap } from "@/api/retrieval";
import { bindChoice } from "@/components/fields";
import { More } from "@/components/More";
import { useWritingModels } from "@/components/models/useModelChoices";
import { ProblemNotice } from "@/components/ProblemNotice";
import { t } from "@/words";
import { type Prompt, retrieverChoices, type Task, termMapOf, writersOf } from "./retrievers";

/** Retrievers to compare; a model, a map of terms and a cross-encoder add those that need one. */
export function RetrieverField({ value = [], ...field }: MultiSelectProps & { value?: string[] }) {
  const [chosen, choose] = useState<string | null>(null);
  const [prompt, setPrompt] = useState<Prompt>("variations");
  const [task, setTask] = useState<Task>("relevance");
  const [mapName, setMapName] = useState<string | null>(null);
  const [encoder, setEncoder] = useState<string | null>(null);
  const rerankers = useQuery(retrievalQueries.rerankers()).data?.items ?? [];
  const writers = writersOf(value);
  const [isOpen] = useState(writers.length > 0);
  const writer = chosen ?? writers[0] ?? null;
  const models = useWritingModels(writers);
  const maps = useQuery(retrievalQueries.termMaps()).data?.items ?? [];
  const map =
    useQuery({ ...retrievalQueries.termMap(mapName ?? ""), enabled: mapName !== null }).data ?? null;
  const save = useSaveTermMap();
  const read = async (file: File | null) => {
    if (!file) return;
    const { name, terms } = termMapOf(file.name, await file.text());
    save.mutate({ params: { path: { name } }, body: { terms } }, { onSuccess: () => setMapName(name) });
  };
  return (
    <>
      <MultiSelect
        {...field}
        label={t("Retrievers")}
        data={retrieverChoices(value, {
          writer,
          prompt,
          task,
          map: map && { name: map.name, terms: map.terms },
          encoder,
        })}
        value={value}
      />
      <More title={t("Further retrievers: RAG-Fusion, reranking, query expansion")} isOpen={isOpen}>
        <Stack gap="md" mt="sm">
          {models.length > 0 && (
            <Select
              label={t("Model for RAG-Fusion and reranking")}
              description={t(
                "Writes other wordings of each question, or grades its first 10 passages. Both then appear among the retrievers.",
              )}
              placeholder={t("None")}
              data={models}
              value={writer}
              onChange={choose}
              searchable
              clearable
            />
          )}
          {writer && (
            <>
              <Select
                label={t("Texts for RAG-Fusion")}
                description={t("What the model writes; each text is searched for beside the question.")}
                data={[
                  { value: "variations", label: t("Other wordings of the question") },
                  { value: "keywords", label: t("Keywords of a passage with the answer") },
                ]}
                {...bindChoice(prompt, setPrompt)}
              />
              <Select
                label={t("Grades for reranking")}
                description={t(
                  "0 to 2: no answer, part of it, the whole answer. UMBRELA has one more grade.",
                )}
                data={[
                  { value: "relevance", label: t("0 to 2") },
                  { value: "umbrela", label: t("0 to 3 (UMBRELA)") },
                ]}
                {...bindChoice(task, setTask)}
              />
            </>
          )}
          {maps.length > 0 && (
            <Select
              label={t("Term map for query expansion")}
              description={t(
                "Adds words to questions that contain a term of the map. Expansion then appears among the retrievers.",
              )}
              placeholder={t("None")}
              data={maps.map(({ name }) => name)}
              value={mapName}
              onChange={setMapName}
              clearable
            />
          )}
          <FileInput
            label={t("Import a term map")}
            description={t(
              "CSV file with one term in each line, followed by the words to search for in addition.",
            )}
            placeholder={t("Choose a file")}
            accept=".csv,text/csv"
            value={null}
            onChange={(file) => void read(file)}
          />
          <ProblemNotice error={save.error} />
          {rerankers.length > 0 && (
            <Select
              label={t("Cross-encoder for reranking")}
              description={t(
                "Orders the first 50 passages again. Reranking then appears among the retrievers.",
              )}
              placeholder={t("None")}
              data={rerankers.map(({ name }) => name)}
              value={encoder}
              onChange={setEncoder}
              clearable
            />
          )}
        </Stack>
      </More>
    </>
  );
}
