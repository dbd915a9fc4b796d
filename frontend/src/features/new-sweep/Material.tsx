import { Button, Group, Select, Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { collectionQueries, datasetQueries } from "@/api/materials";
import { Examples } from "@/components/Examples";
import { FieldGrid } from "@/components/FieldGrid";
import { ButtonLink } from "@/components/links";
import { AddDocuments } from "@/components/material/AddDocuments";
import { AddQuestions } from "@/components/material/AddQuestions";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { RunningJobs } from "@/components/RunningJobs";
import { t } from "@/words";
import classes from "./NewSweepPage.module.css";
import type { SweepFormState } from "./useSweepForm";

/** What stands in a list from which nothing can be chosen yet. */
function emptyOf(
  { isPending, data }: { isPending: boolean; data?: { items: unknown[] } | undefined },
  none: string,
) {
  if (isPending) return t("Loading");
  return data?.items.length === 0 ? none : undefined;
}

type Open = "documents" | "questions" | null;

/** Documents and questions: chosen, or added on the spot. */
export function Material({ form }: { form: SweepFormState }) {
  const [open, setOpen] = useState<Open>(null);
  const collections = useQuery(collectionQueries.list());
  const datasets = useQuery(datasetQueries.list());
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
    <Panel title={t("Material")}>
      {bare && <Examples />}
      <QueryState query={collections} />
      <QueryState query={datasets} />
      <RunningJobs query={{ kind: ["ingest", "dataset"] }} changes={["collections", "datasets"]} />
      <FieldGrid>
        <Select
          label={t("Collection")}
          description={t("Documents from which passages are retrieved.")}
          placeholder={emptyOf(collections, t("No collections yet"))}
          searchable
          data={(collections.data?.items ?? []).map(({ collection: { name }, passages }) => ({
            value: name,
            label: t("{name} ({passages, plural, one {# passage} other {# passages}})", { name, passages }),
          }))}
          {...form.field("collection")}
          onChange={(value) => form.set("collection", value ?? "")}
        />
        <Select
          label={t("Questions")}
          description={t("Questions with reference answers.")}
          placeholder={emptyOf(datasets, t("No datasets yet"))}
          searchable
          data={(datasets.data?.items ?? []).map(({ name, questions }) => ({
            value: name,
            label: t("{name} ({questions, plural, one {# question} other {# questions}})", {
              name,
              questions,
            }),
          }))}
          {...form.field("dataset")}
          onChange={(value) => form.set("dataset", value ?? "")}
        />
      </FieldGrid>
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          aria-expanded={open === "documents"}
          onClick={() => toggle("documents")}
        >
          {t("Add documents")}
        </Button>
        <Button
          variant="default"
          size="xs"
          aria-expanded={open === "questions"}
          onClick={() => toggle("questions")}
        >
          {t("Add questions")}
        </Button>
        <ButtonLink
          to="/drafts"
          search={form.field("collection").value ? { collection: form.field("collection").value ?? "" } : {}}
          variant="default"
          size="xs"
        >
          {t("New questions from documents")}
        </ButtonLink>
      </Group>
      {open === "documents" && (
        <Inset title={t("Add documents")}>
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
        <Inset title={t("Add questions")}>
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

/** Where there is only one to choose, or one dataset has the collection's name, it is chosen. */
function useSole(form: SweepFormState, field: "collection" | "dataset", names: string[] = []) {
  const { set } = form;
  const namesake = field === "dataset" ? names.find((name) => name === form.values.collection) : undefined;
  const sole = names.length === 1 ? names[0] : namesake;
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
