import { Button, FileInput, MultiSelect, Select, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { retrievalQueries, useDeleteInput, useImportRanking } from "@/api/retrieval";
import type { InputSummary } from "@/api/types";
import { FieldGrid } from "@/components/FieldGrid";
import { judgeName } from "@/components/judging/judgeName";
import { inputName } from "@/components/material/inputName";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { actColumn, type Column, countColumn, DataTable, plainColumn } from "@/components/table";
import { t } from "@/words";

const route = getRouteApi("/retrieval");
const KINDS: Record<InputSummary["kind"], string> = {
  run: t("Ranking"),
  qrels: t("Relevance grades"),
  terms: t("Term map"),
};
type Kind = "run" | "qrels";

/** The imported rankings and grades to compare, stored in the address. */
function useInputs() {
  const { runs, qrels } = route.useSearch();
  const navigate = useNavigate({ from: "/retrieval" });
  const chosen = runs?.split("~") ?? [];
  const choose = (found: { runs?: string[]; qrels?: string | null }) =>
    navigate({
      search: ({ runs: _, qrels: __, ...before }) => {
        const names = found.runs ?? chosen;
        const grades = found.qrels === undefined ? qrels : found.qrels;
        return {
          ...before,
          ...(names.length > 0 ? { runs: names.join("~") } : {}),
          ...(grades ? { qrels: grades } : {}),
        };
      },
      resetScroll: false,
    });
  return { chosen, qrels, choose };
}

/** Choice of the imported rankings and grades to compare; empty if none are imported. */
export function InputFields() {
  const { chosen, qrels, choose } = useInputs();
  const items = useQuery(retrievalQueries.rankings()).data?.items ?? [];
  const named = (kind: Kind) => items.filter((each) => each.kind === kind).map(({ name }) => name);
  const [rankings, grades] = [named("run"), named("qrels")];
  return (
    <>
      {(rankings.length > 0 || chosen.length > 0) && (
        <MultiSelect
          label={t("Rankings")}
          description={t("Compared together with the retrievers.")}
          placeholder={chosen.length === 0 ? t("None") : undefined}
          data={rankings}
          value={chosen}
          onChange={(names) => void choose({ runs: names })}
        />
      )}
      {(grades.length > 0 || qrels) && (
        <Select
          label={t("Relevance")}
          description={t("Used instead of the gold passages of the dataset.")}
          placeholder={t("None")}
          data={grades}
          value={qrels ?? null}
          onChange={(name) => void choose({ qrels: name })}
          clearable
        />
      )}
    </>
  );
}

/** Imports rankings and relevance grades of other systems, which are then chosen by name. */
export function OtherSystems() {
  const rankings = useQuery(retrievalQueries.rankings()).data?.items ?? [];
  const maps = useQuery(retrievalQueries.termMaps()).data?.items ?? [];
  const { chosen, choose } = useInputs();
  const add = useImportRanking();
  const load = async (kind: Kind, file: File | null) => {
    if (!file) return;
    const name = inputName(file.name);
    const body = { file: file.name, text: await file.text() };
    add.mutate(
      { params: { path: { kind, name } }, body },
      {
        onSuccess: () => choose(kind === "run" ? { runs: [...new Set([...chosen, name])] } : { qrels: name }),
      },
    );
  };
  return (
    <Panel title={t("Files from other systems")}>
      <Stack gap="md">
        <FieldGrid>
          <FileInput
            label={t("Import a ranking")}
            description={t("A TREC run, or a table of documents as CSV, JSON or JSONL (qid, did, rank).")}
            placeholder={t("Choose a file")}
            value={null}
            onChange={(file) => void load("run", file)}
          />
          <FileInput
            label={t("Import relevance grades")}
            description={t(
              "TREC or BEIR qrels, or a table of grades as CSV, JSON or JSONL (qid, did, answer).",
            )}
            placeholder={t("Choose a file")}
            value={null}
            onChange={(file) => void load("qrels", file)}
          />
        </FieldGrid>
        <ProblemNotice error={add.error} />
        <Imported items={[...rankings, ...maps]} />
      </Stack>
    </Panel>
  );
}

/** The judge that made the grades. */
function gradedBy({ graded_by, rated = 0 }: InputSummary) {
  return graded_by && t("Judge: {judge}", { judge: judgeName(graded_by.name, rated) });
}

/** What was imported, to be deleted here. */
function Imported({ items }: { items: InputSummary[] }) {
  const { ranking, terms } = useDeleteInput();
  if (items.length === 0) return null;
  const remove = ({ kind, name }: InputSummary) =>
    kind === "terms"
      ? terms.mutate({ params: { path: { name } } })
      : ranking.mutate({ params: { path: { kind, name } } });
  const columns: Column<InputSummary>[] = [
    plainColumn("name", t("Name"), ({ name }) => name),
    plainColumn("kind", t("Kind"), ({ kind }) => KINDS[kind], { note: gradedBy }),
    countColumn("entries", t("Questions or terms"), ({ entries }) => entries),
    actColumn("delete", t("Delete"), (row) => (
      <Button
        size="xs"
        variant="default"
        aria-label={t("Delete {name}", { name: row.name })}
        onClick={() => remove(row)}
      >
        {t("Delete")}
      </Button>
    )),
  ];
  return (
    <DataTable
      name="retrieval-inputs"
      at="imported"
      label={t("Imported files")}
      columns={columns}
      rows={items}
      keyOf={({ kind, name }) => `${kind} ${name}`}
    />
  );
}
