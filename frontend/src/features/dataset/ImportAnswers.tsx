import { Button, FileInput, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useJob } from "@/api/jobs";
import { useImportAnswers, usePreviewQuestions } from "@/api/materials";
import { Problem } from "@/api/problem";
import { asPart, formData } from "@/api/upload";
import { FieldGrid } from "@/components/FieldGrid";
import { forRole } from "@/components/ForRole";
import { bindText } from "@/components/fields";
import { JobProgress } from "@/components/JobProgress";
import { SmallLink } from "@/components/links";
import { ColumnTable } from "@/components/material/ColumnTable";
import { importLabel } from "@/components/material/importLabel";
import { inputName } from "@/components/material/inputName";
import { Note } from "@/components/Note";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { SendButton } from "@/components/SendButton";
import { useFormState } from "@/components/useFormState";
import { t } from "@/words";

/** What the job returns; see `AnswersSummary` of the server. */
interface Summary {
  configurations: string[];
  sweep: string;
  notes?: string[];
}

/** What a column of a file of answers can be imported as. */
const MEANINGS = ["id", "question", "answer", "passages"];

/** Answers of other tools to the questions of a dataset: each file becomes a configuration of one sweep. */
export const ImportAnswers = forRole("researcher", function ImportAnswers({ name }: { name: string }) {
  const [isOpen, setOpen] = useFormState("answers.open", false);
  if (isOpen) return <AnswersForm name={name} />;
  return (
    <Group gap="sm">
      <Text size="sm">{t("Answers from another system")}</Text>
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        {t("Import answers")}
      </Button>
    </Group>
  );
});

function AnswersForm({ name }: { name: string }) {
  const [files, setFiles] = useFormState<File[]>("answers.files", []);
  const [names, setNames] = useFormState<string[]>("answers.names", []);
  const [title, setTitle] = useFormState("answers.title", "");
  const [chosen, setChosen] = useFormState<Record<string, string>>("answers.columns", {});
  const [columns, setColumns] = useState<string[]>([]);
  const look = usePreviewQuestions();
  const [summary, setSummary] = useState<Summary | null>(null);
  const send = useImportAnswers();
  const job = useJob({
    changes: ["sweeps"],
    onDone: ({ result }) => setSummary(result as unknown as Summary),
  });
  const choose = (dropped: File[]) => {
    setFiles(dropped);
    setNames(dropped.map((file) => inputName(file.name)));
    setChosen({});
    setColumns([]);
    // Files of traces and objects have no columns to choose: they are recognised, or refused with the reason.
    const previews = dropped.map((file) =>
      look.mutateAsync({ body: { file: asPart(file) }, bodySerializer: formData }).catch(() => null),
    );
    void Promise.all(previews).then((found) =>
      setColumns([...new Set(found.flatMap((preview) => preview?.columns ?? []))]),
    );
  };
  const start = () => {
    setSummary(null);
    const body = {
      file: files.map(asPart),
      configuration: names,
      ...(title.trim() !== "" && { title }),
      ...(Object.keys(chosen).length > 0 && { columns: JSON.stringify(chosen) }),
    };
    const params = { path: { name } };
    return job.begin(send.mutateAsync({ params, body, bodySerializer: formData }));
  };
  const busy = send.isPending || job.isBusy;
  const problem = send.error ?? job.problem;
  const nameProblem = problem instanceof Problem ? problem.fields.configuration : undefined;
  return (
    <Panel title={t("Answers from other systems")}>
      <Stack gap="md">
        <Quiet>
          {t(
            "Each file has one row for each question, with its id or text, and the answer: JSON, JSON Lines, CSV or Excel, also of RAGAS, DeepEval or Phoenix. Each becomes a configuration of a sweep.",
          )}
        </Quiet>
        <FileInput
          w="min(100%, 24rem)"
          label={t("Files with answers")}
          placeholder={t("Choose files")}
          multiple
          value={files}
          onChange={choose}
        />
        {files.length > 0 && (
          <FieldGrid>
            {files.map((file, place) => (
              <TextInput
                // biome-ignore lint/suspicious/noArrayIndexKey: two files of different folders may have one name
                key={place}
                label={t("Configuration of {file}", { file: file.name })}
                description={place === 0 && files.length > 1 ? t("The baseline.") : undefined}
                {...bindText(names[place] ?? "", (value) => setNames(names.with(place, value)))}
                error={nameProblem}
                maxLength={100}
              />
            ))}
            <TextInput
              label={t("Name of the sweep (optional)")}
              {...bindText(title, setTitle)}
              maxLength={200}
            />
          </FieldGrid>
        )}
        {problem != null && nameProblem === undefined && (
          <ProblemNotice error={problem} title={t("Nothing was imported")} />
        )}
        {problem != null && nameProblem === undefined && columns.length > 0 && (
          <ColumnTable
            columns={columns}
            meanings={MEANINGS}
            mapping={{ columns: chosen }}
            onMap={({ columns: mapped }) => setChosen(mapped ?? {})}
            byName
          />
        )}
        {busy && <JobProgress label={t("Importing files")} {...job.running} />}
        {summary && (
          <Note title={t("Imported {name}", { name: summary.configurations.join(", ") })} role="status">
            <SmallLink to="/sweeps/$id" params={{ id: summary.sweep }}>
              {t("Show sweep")}
            </SmallLink>
            {summary.notes?.map((note) => (
              <Text key={note} size="sm">
                {note}
              </Text>
            ))}
          </Note>
        )}
        <SendButton
          onClick={start}
          loading={busy}
          missing={
            files.length === 0
              ? t("Choose files first.")
              : names.some((each) => each.trim() === "")
                ? t("Name each configuration.")
                : null
          }
        >
          {importLabel(files.length)}
        </SendButton>
      </Stack>
    </Panel>
  );
}
