import { Button, FileInput, Group, List, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useJob } from "@/api/jobs";
import { useImportRagelo } from "@/api/materials";
import { Problem } from "@/api/problem";
import { asPart, formData } from "@/api/upload";
import { FieldGrid } from "@/components/FieldGrid";
import { bindText } from "@/components/fields";
import { JobProgress } from "@/components/JobProgress";
import { SmallLink } from "@/components/links";
import { importLabel } from "@/components/material/importLabel";
import { inputName } from "@/components/material/inputName";
import { Note } from "@/components/Note";
import { ProblemNotice } from "@/components/ProblemNotice";
import { SendButton } from "@/components/SendButton";
import { useFormState } from "@/components/useFormState";
import { t } from "@/words";

const PARTS = ["queries", "documents", "answers", "judgements"] as const;
type Part = (typeof PARTS)[number];
const LABELS: Record<Part, string> = {
  queries: t("Queries"),
  documents: t("Documents (optional)"),
  answers: t("Answers (optional)"),
  judgements: t("Judgements (optional)"),
};
const HINTS: Record<Part, string> = {
  queries: t("Columns qid, query. They become a dataset."),
  documents: t("Columns qid, did. They become an imported ranking."),
  answers: t("Columns qid, agent, answer. Each agent becomes a configuration of a sweep."),
  judgements: t("Columns qid, did, answer. They become imported relevance grades."),
};

/** What the job returns; see `RageloSummary` of the server. */
interface Summary {
  dataset: string;
  questions: number;
  ranked: number;
  graded: number;
  agents: string[];
  metadata: string[];
  sweep: string | null;
}

/** All files of an experiment of RAGElo: read together, whole or not at all. */
export function RageloImport() {
  const [isOpen, setOpen] = useFormState("ragelo", false);
  return (
    <Stack gap="md">
      <Group gap="sm">
        <Text size="sm">{t("RAGElo experiments")}</Text>
        <Button variant="default" size="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t("Import RAGElo files")}
        </Button>
      </Group>
      {isOpen && <RageloForm />}
    </Stack>
  );
}

function RageloForm() {
  const [files, setFiles] = useFormState<Partial<Record<Part, File>>>("ragelo.files", {});
  const [name, setName] = useFormState("ragelo.name", "");
  const [summary, setSummary] = useState<Summary | null>(null);
  const send = useImportRagelo();
  const job = useJob({
    changes: ["datasets", "rankings", "sweeps"],
    onDone: ({ result }) => setSummary(result as unknown as Summary),
  });
  const choose = (part: Part, file: File | null) => {
    const { [part]: _, ...others } = files;
    setFiles(file ? { ...others, [part]: file } : others);
    if (part === "queries" && file) setName(inputName(file.name));
  };
  const start = () => {
    const { queries, ...others } = files;
    if (!queries) return;
    setSummary(null);
    const given = Object.entries(others).map(([part, file]) => [part, asPart(file)]);
    const body = { name, queries: asPart(queries), ...Object.fromEntries(given) };
    void job.begin(send.mutateAsync({ body, bodySerializer: formData }));
  };
  const busy = send.isPending || job.isBusy;
  const problem = send.error ?? job.problem;
  const nameProblem = problem instanceof Problem ? problem.fields.name : undefined;
  return (
    <Stack gap="md">
      <FieldGrid>
        {PARTS.map((part) => (
          <FileInput
            key={part}
            label={LABELS[part]}
            description={HINTS[part]}
            placeholder={t("Choose a file")}
            clearable={part !== "queries"}
            clearButtonProps={{ "aria-label": t("None") }}
            value={files[part] ?? null}
            onChange={(file) => choose(part, file)}
          />
        ))}
      </FieldGrid>
      <TextInput
        w="min(100%, 24rem)"
        label={t("Name")}
        description={t("Name of the dataset, the ranking and the grades.")}
        {...bindText(name, setName)}
        error={nameProblem}
      />
      <ProblemNotice error={problem} title={t("Nothing was imported")} />
      {busy && <JobProgress label={t("Importing files")} {...job.running} />}
      {summary && <Imported summary={summary} />}
      <SendButton
        onClick={start}
        loading={busy}
        missing={
          files.queries
            ? name.trim() === ""
              ? t("Name the dataset.")
              : null
            : t("Choose the file with the queries first.")
        }
      >
        {importLabel(Object.keys(files).length)}
      </SendButton>
    </Stack>
  );
}

/** What the files became, with links to it. */
function Imported({ summary }: { summary: Summary }) {
  const { dataset, questions, ranked, graded, agents, metadata, sweep } = summary;
  const retrieval = {
    dataset,
    ...(ranked > 0 ? { runs: dataset } : {}),
    ...(graded > 0 ? { qrels: dataset } : {}),
  };
  return (
    <Note title={t("Imported {name}", { name: dataset })} role="status">
      <List size="sm">
        <List.Item>
          <SmallLink to="/datasets/$name" params={{ name: dataset }}>
            {t("{questions, plural, one {# question} other {# questions}}, without reference answers", {
              questions,
            })}
          </SmallLink>
        </List.Item>
        {metadata.length > 0 && (
          <List.Item>
            {t("Kept with the questions, for prompt templates: {columns}", { columns: metadata.join(", ") })}
          </List.Item>
        )}
        {ranked + graded > 0 && (
          <List.Item>
            <SmallLink to="/retrieval" search={retrieval}>
              {t(
                "{ranked, plural, =0 {No ranking} one {Ranking of # question} other {Ranking of # questions}}, {graded, plural, =0 {no grades} one {# grade} other {# grades}}",
                { ranked, graded },
              )}
            </SmallLink>
          </List.Item>
        )}
        {sweep && (
          <List.Item>
            <SmallLink to="/sweeps/$id" params={{ id: sweep }}>
              {t("Sweep of {agents}", { agents: agents.join(", ") })}
            </SmallLink>
          </List.Item>
        )}
      </List>
    </Note>
  );
}
