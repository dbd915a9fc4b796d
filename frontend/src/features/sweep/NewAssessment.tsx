import { FileInput, MultiSelect, NumberInput, Select, Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { systemQueries } from "@/api/system";
import type { AssessmentRequest, Model, QuestionFacts, Sending, SweepDetail, TunedTask } from "@/api/types";
import { CostFields, type Costs, NO_COSTS, sentCosts } from "@/components/CostFields";
import { FieldGrid } from "@/components/FieldGrid";
import { bindChoice, bindText, bindWhole } from "@/components/fields";
import { factsOfFile, keptFacts } from "@/components/judging/factsFile";
import { JudgeSelect } from "@/components/judging/JudgeSelect";
import { NUGGETS, VITAL_SHARE } from "@/components/judging/KeyFacts";
import { StartAssessment } from "@/components/judging/StartAssessment";
import { modelOf, modelValue } from "@/components/models/value";
import { Panel } from "@/components/Panel";
import { useFormState } from "@/components/useFormState";
import { t } from "@/words";

/** The metric of criteria that a person writes. */
const CRITERIA = "Criteria";

interface Draft {
  judge: string | null;
  columns: string[];
  /** One criterion a line. */
  criteria: string;
  target: string;
  /** Task file of `passer judge tune`. */
  tuned: Sending<AssessmentRequest>["tuned"];
  /** Key facts that people chose; sent where a metric uses them. */
  facts: QuestionFacts[];
  repeats: number | string;
  costs: Costs;
}

const OPTIONAL_FILE = {
  placeholder: t("Choose a file"),
  clearable: true,
  clearButtonProps: { "aria-label": t("Remove file") },
};

/** The request of a draft; undefined while something is missing. */
function requestOf(draft: Draft): Sending<AssessmentRequest> | undefined {
  const { judge, columns, target, repeats } = draft;
  const listed = columns.includes(CRITERIA)
    ? draft.criteria
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "")
    : [];
  if (columns.includes(CRITERIA) && listed.length === 0) return undefined;
  if (!judge || columns.length === 0 || typeof repeats !== "number") return undefined;
  return {
    target,
    judge: modelOf(judge),
    columns,
    // The server reads a criterion as it is typed; its schema is that of what it answers.
    criteria: listed as Sending<AssessmentRequest["criteria"] & string[]>,
    tuned: draft.tuned,
    key_facts: columns.some(usesFacts) ? draft.facts : [],
    repeats,
    ...sentCosts(draft.costs),
  };
}

/** Whether a metric assigns key facts; the one that only lists them does not. */
function usesFacts(column: string): boolean {
  return column.startsWith(NUGGETS) && column !== VITAL_SHARE;
}

/** The content of a task file as the server reads it, which checks it; null where it is no JSON object. */
function taskOf(text: string): Draft["tuned"] | null {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "object" && read !== null && "task" in read ? (read as Draft["tuned"]) : null;
  } catch {
    return null;
  }
}

/** A tuned task as the file that the form would be given. */
function fileOf(tuned: TunedTask): File {
  return new File([JSON.stringify(tuned)], `${tuned.column}.json`, { type: "application/json" });
}

/** What a form begins with: a tuned task, or key facts that people chose. */
export interface Begun {
  tuned?: TunedTask;
  facts?: QuestionFacts[];
}

interface Props {
  sweep: SweepDetail;
  begun?: Begun;
  /** The judge with which the form begins. */
  judge?: Model;
  onStarted: (id: string) => void;
}

function begunWith(target: string, { tuned, facts }: Begun = {}, judge?: Model): Draft {
  return {
    // Its address is that of this installation, which the choice does not name.
    judge: judge ? modelValue({ ...judge, base_url: null }) : null,
    columns: tuned ? [tuned.column] : facts ? ["Nugget all"] : ["Answer correctness", "Faithfulness"],
    criteria: "",
    target,
    tuned: tuned ?? null,
    facts: facts ?? [],
    repeats: 1,
    costs: NO_COSTS,
  };
}

/** The form of a new assessment: who judges what, and what that costs. */
export function NewAssessment({ sweep, begun, judge, onStarted }: Props) {
  const [draft, setDraft] = useFormState("assessment", begunWith(sweep.id, begun, judge));
  const put = (next: Partial<Draft>) => setDraft((before) => ({ ...before, ...next }));
  const metrics = useQuery(systemQueries.metrics("judged"));
  const [file, setFile] = useFormState<File | null>(
    "assessment.task",
    begun?.tuned ? fileOf(begun.tuned) : null,
  );
  const panel = useRef<HTMLDivElement>(null);
  const isGiven = begun !== undefined;
  useEffect(() => {
    if (isGiven) panel.current?.scrollIntoView({ block: "start" });
  }, [isGiven]);
  const [isWrong, setWrong] = useState(false);
  const read = async (chosen: File | null) => {
    setFile(chosen);
    const found = chosen && taskOf(await chosen.text());
    setWrong(chosen !== null && found === null);
    put({ tuned: found });
  };
  const [factsFile, setFactsFile] = useFormState<File | null>("assessment.facts", null);
  const [isOther, setOther] = useState(false);
  const readFacts = async (chosen: File | null) => {
    setFactsFile(chosen);
    const found = chosen && factsOfFile(await chosen.text());
    setOther(chosen !== null && found === null);
    put({ facts: found ? keptFacts(found) : [] });
  };
  const request = isWrong || isOther ? undefined : requestOf(draft);
  const runs = sweep.runs.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <div ref={panel}>
      <Panel title={t("New assessment")}>
        <FieldGrid>
          <JudgeSelect value={draft.judge} onChange={(judge) => put({ judge })} />
          <MultiSelect
            label={t("Metrics")}
            description={t("Other metrics that need the same requests are added.")}
            data={metrics.data?.items.map(({ name }) => name) ?? draft.columns}
            value={draft.columns}
            onChange={(columns) => put({ columns })}
            searchable
          />
          {draft.columns.includes(CRITERIA) && (
            <Textarea
              label={t("Criteria")}
              description={t(
                "Criteria that a good answer meets, one per line, up to 8. A line can begin with a weight: “2: Names the article of the law.”",
              )}
              required
              autosize
              minRows={3}
              {...bindText(draft.criteria, (criteria) => put({ criteria }))}
            />
          )}
          <Select
            label={t("Answers")}
            data={[{ value: sweep.id, label: t("All configurations") }, ...runs]}
            {...bindChoice(draft.target, (target) => put({ target }))}
          />
          <NumberInput
            label={t("Repetitions")}
            description={t("Two or more show how much the judge contradicts itself.")}
            min={1}
            max={100}
            {...bindWhole(draft.repeats, (repeats) => put({ repeats }))}
          />
          <FileInput
            {...OPTIONAL_FILE}
            label={t("Task file")}
            description={t(
              "A task file from tuning a judge, on this page or with passer judge tune. Its instruction and examples replace PaSSER’s. Optional.",
            )}
            accept=".json,application/json"
            value={file}
            onChange={(chosen) => void read(chosen)}
            error={isWrong && t("This is not a task file. Choose a file that passer judge tune wrote.")}
          />
          {draft.columns.some(usesFacts) && (
            <FileInput
              {...OPTIONAL_FILE}
              label={t("File of key facts")}
              description={t(
                "A file saved from the key facts of an assessment of these questions, of a sweep or of a dataset. For other questions, the judge lists the facts. Optional.",
              )}
              accept=".jsonl"
              value={factsFile}
              onChange={(chosen) => void readFacts(chosen)}
              error={
                isOther &&
                t("This is not a file of key facts. Choose a .jsonl file with question, importance and fact.")
              }
            />
          )}
          <CostFields costs={draft.costs} onChange={(costs) => put({ costs })} />
        </FieldGrid>
        {draft.facts.length > 0 && (
          <Text size="sm">
            {t(
              "Nugget metrics use {facts, plural, one {# key fact} other {# key facts}} of {questions, plural, one {# question} other {# questions}} that people chose.",
              {
                facts: draft.facts.reduce((sum, each) => sum + each.facts.length, 0),
                questions: draft.facts.length,
              },
            )}
          </Text>
        )}
        <StartAssessment request={request} onStarted={onStarted} />
      </Panel>
    </div>
  );
}
