import { Group, Input, SegmentedControl, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { collectionQueries, datasetQueries } from "@/api/materials";
import { FieldGrid } from "@/components/FieldGrid";
import { Form } from "@/components/Form";
import { bindChoice } from "@/components/fields";
import { RetrieverField } from "@/components/material/RetrieverField";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { SendButton } from "@/components/SendButton";
import { t } from "@/words";
import { InputFields } from "./OtherSystems";

const route = getRouteApi("/retrieval");

/** What to compare. */
export function Choice() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/retrieval" });
  const collections = useQuery(collectionQueries.list());
  const datasets = useQuery(datasetQueries.list());
  const [collection, setCollection] = useState(search.collection ?? null);
  const [dataset, setDataset] = useState(search.dataset ?? null);
  const [retrievers, setRetrievers] = useState(search.retrievers?.split("~") ?? ["dense", "bm25", "hybrid"]);
  const [by, setBy] = useState(search.by ?? "passage");
  const [part, setPart] = useState<Part>({ group: search.group, category: search.category });
  const names = collections.data?.items.map((item) => item.collection.name) ?? [];
  const sets = datasets.data?.items.map(({ name }) => name) ?? [];
  // An example has a dataset of its collection's name, and further ones.
  const into =
    collection ?? names.find((name) => sets.includes(name)) ?? (names.length === 1 ? names[0] : null);
  const chosen = {
    collection: into,
    dataset: dataset ?? (sets.length === 1 ? sets[0] : sets.find((name) => name === into)),
  };
  const submit = () => {
    const { collection, dataset } = chosen;
    if (!collection || !dataset || retrievers.length === 0) return;
    void navigate({
      search: ({ runs, qrels }) => ({
        ...(runs ? { runs } : {}),
        ...(qrels ? { qrels } : {}),
        collection,
        dataset,
        retrievers: retrievers.join("~"),
        ...(by === "document" ? { by } : {}),
        ...part,
      }),
      resetScroll: false,
    });
  };
  return (
    <Panel title={t("Comparison")}>
      <QueryState query={collections} />
      <QueryState query={datasets} />
      <Form onSubmit={submit}>
        <FieldGrid>
          <Select
            label={t("Collection")}
            data={names}
            {...bindChoice(chosen.collection ?? null, setCollection)}
            searchable
          />
          <Select
            label={t("Questions")}
            description={t("Their gold passages determine what is relevant.")}
            data={sets}
            value={chosen.dataset ?? null}
            onChange={(name) => {
              setDataset(name);
              // Another dataset has other groups.
              setPart({});
            }}
            allowDeselect={false}
            searchable
          />
          <PartFields dataset={chosen.dataset} part={part} onChange={setPart} />
          <RetrieverField
            description={t("Gains are relative to the first retriever.")}
            value={retrievers}
            onChange={setRetrievers}
          />
          <InputFields />
        </FieldGrid>
        <Group mt="md" gap="md" align="flex-end">
          <Input.Wrapper label={t("Unit of relevance")} labelElement="div">
            <div>
              <SegmentedControl
                aria-label={t("Unit of relevance")}
                value={by}
                onChange={(value) => setBy(value as "passage" | "document")}
                data={[
                  { value: "passage", label: t("Passages") },
                  { value: "document", label: t("Documents") },
                ]}
              />
            </div>
          </Input.Wrapper>
          <SendButton
            type="submit"
            missing={
              chosen.collection && chosen.dataset && retrievers.length > 0
                ? null
                : t("Choose a collection, questions and at least one retriever.")
            }
          >
            {t("Compare retrievers")}
          </SendButton>
        </Group>
      </Form>
    </Panel>
  );
}

/** Which questions of a dataset are compared on; all, where nothing is chosen. */
interface Part {
  group?: string | undefined;
  category?: string | undefined;
}

interface PartFieldsProps {
  dataset: string | null | undefined;
  part: Part;
  onChange: (part: Part) => void;
}

/** Group and category of the questions, where the dataset has any. */
function PartFields({ dataset, part, onChange }: PartFieldsProps) {
  const detail = useQuery({ ...datasetQueries.detail(dataset ?? ""), enabled: dataset != null });
  const questions = detail.data?.questions ?? [];
  const groups = namesOf(questions.map(({ group }) => group));
  // Only categories that the chosen group has: another one would select no question.
  const inGroup = questions.filter(({ group }) => part.group === undefined || group === part.group);
  const categories = namesOf(inGroup.map(({ category }) => category));
  return (
    <>
      {groups.length > 0 && (
        <Select
          label={t("Group")}
          placeholder={t("All groups")}
          data={groups}
          value={part.group ?? null}
          onChange={(group) => onChange(group === null ? {} : { group })}
          clearable
        />
      )}
      {categories.length > 0 && (
        <Select
          label={t("Category")}
          placeholder={t("All categories")}
          data={categories}
          value={part.category ?? null}
          onChange={(category) => onChange({ ...part, category: category ?? undefined })}
          clearable
        />
      )}
    </>
  );
}

/** Distinct names in order. */
function namesOf(names: readonly (string | null | undefined)[]): string[] {
  return [...new Set(names.filter((name) => name != null))].sort();
}
