import { Button, Group, Select, SimpleGrid, Stack, Title } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { api } from "@/api/client";
import { Examples } from "@/components/Examples";
import { AddDocuments } from "@/components/material/AddDocuments";
import { AddQuestions } from "@/components/material/AddQuestions";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { words } from "@/words";
import classes from "./NewSweepPage.module.css";
import type { SweepFormState } from "./useSweepForm";

type Open = "documents" | "questions" | null;

/** Documents and questions: chosen, or added on the spot. */
export function Material({ form }: { form: SweepFormState }) {
  const [open, setOpen] = useState<Open>(null);
  const collections = api.useQuery("get", "/api/v1/collections");
  const datasets = api.useQuery("get", "/api/v1/datasets");
  const label = words.newSweep;
  const toggle = (panel: Open) => setOpen(open === panel ? null : panel);
  useSole(
    form,
    "collection",
    collections.data?.items.map(({ collection }) => collection.name),
  );
  useSole(
    form,
    "dataset",
    datasets.data?.items.map(({ name }) => name),
  );
  const bare = collections.data?.items.length === 0 && datasets.data?.items.length === 0;

  return (
    <Panel title={label.material}>
      {bare && <Examples />}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <Select
          label={label.collection}
          description={label.collectionHint}
          placeholder={collections.data?.items.length === 0 ? label.collectionNone : undefined}
          searchable
          data={(collections.data?.items ?? []).map(({ collection, documents, passages }) => ({
            value: collection.name,
            label: label.collectionOption(
              collection.name,
              formatCount(documents.length),
              formatCount(passages),
            ),
          }))}
          {...form.field("collection")}
          onChange={(value) => form.set("collection", value ?? "")}
        />
        <Select
          label={label.dataset}
          description={label.datasetHint}
          placeholder={datasets.data?.items.length === 0 ? label.datasetNone : undefined}
          searchable
          data={(datasets.data?.items ?? []).map(({ name, questions }) => ({
            value: name,
            label: label.datasetOption(name, formatCount(questions)),
          }))}
          {...form.field("dataset")}
          onChange={(value) => form.set("dataset", value ?? "")}
        />
      </SimpleGrid>
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          aria-expanded={open === "documents"}
          onClick={() => toggle("documents")}
        >
          {label.addDocuments}
        </Button>
        <Button
          variant="default"
          size="xs"
          aria-expanded={open === "questions"}
          onClick={() => toggle("questions")}
        >
          {label.addQuestions}
        </Button>
      </Group>
      {open === "documents" && (
        <Inset title={words.materials.documentsTitle}>
          <AddDocuments
            collections={collections.data?.items.map(({ collection }) => collection) ?? []}
            into={form.values.collection}
            onAdded={(name, whole) => {
              form.set("collection", name);
              if (whole) setOpen(null);
            }}
          />
        </Inset>
      )}
      {open === "questions" && (
        <Inset title={words.materials.questionsTitle}>
          <AddQuestions
            onAdded={(name) => {
              form.set("dataset", name);
              setOpen(null);
            }}
          />
        </Inset>
      )}
    </Panel>
  );
}

/** Where there is only one to choose, it is chosen. */
function useSole(form: SweepFormState, field: "collection" | "dataset", names: string[] = []) {
  const [sole] = names.length === 1 ? names : [];
  const { set } = form;
  const isEmpty = form.values[field] === "";
  useEffect(() => {
    if (isEmpty && sole !== undefined) set(field, sole);
  }, [isEmpty, sole, field, set]);
}

function Inset({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="md" className={classes.inset ?? ""}>
      <Title order={3}>{title}</Title>
      {children}
    </Stack>
  );
}
