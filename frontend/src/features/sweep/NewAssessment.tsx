import { FileInput, MultiSelect, NumberInput, Select, SimpleGrid, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { systemQueries } from "@/api/system";
import type { AssessmentRequest, Sending, SweepDetail } from "@/api/types";
import { BudgetField } from "@/components/BudgetField";
import { JudgeSelect } from "@/components/judging/JudgeSelect";
import { StartAssessment } from "@/components/judging/StartAssessment";
import { modelOf } from "@/components/models/value";
import { Panel } from "@/components/Panel";
import { NO_PRICE, PriceFields, priceOf, type TypedPrice } from "@/components/PriceFields";
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
  repeats: number | string;
  budget: string;
  price: TypedPrice;
}

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
    repeats,
    budget: draft.budget,
    price: priceOf(draft.price),
  };
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

interface Props {
  sweep: SweepDetail;
  onStarted: (id: string) => void;
}

/** The form of a new assessment: who judges what, and what that costs. */
export function NewAssessment({ sweep, onStarted }: Props) {
  const [draft, setDraft] = useState<Draft>({
    judge: null,
    columns: ["Answer correctness", "Faithfulness"],
    criteria: "",
    target: sweep.id,
    tuned: null,
    repeats: 1,
    budget: "",
    price: NO_PRICE,
  });
  const put = (next: Partial<Draft>) => setDraft((before) => ({ ...before, ...next }));
  const metrics = useQuery(systemQueries.metrics("judged"));
  const [file, setFile] = useState<File | null>(null);
  const [isWrong, setWrong] = useState(false);
  const read = async (chosen: File | null) => {
    setFile(chosen);
    const found = chosen && taskOf(await chosen.text());
    setWrong(chosen !== null && found === null);
    put({ tuned: found });
  };
  const request = isWrong ? undefined : requestOf(draft);
  const runs = sweep.runs.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Panel title={t("New assessment")}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <JudgeSelect value={draft.judge} onChange={(judge) => put({ judge })} />
        <MultiSelect
          label={t("Metrics")}
          description={t("Metrics that need the same requests are added.")}
          data={metrics.data?.items.map(({ name }) => name) ?? draft.columns}
          value={draft.columns}
          onChange={(columns) => put({ columns })}
          searchable
        />
        {draft.columns.includes(CRITERIA) && (
          <Textarea
            label={t("Criteria")}
            description={t(
              "Statements that a good answer meets, one on each line, up to 8. A weight may come first, such as 2: Names the article of the law.",
            )}
            required
            autosize
            minRows={3}
            value={draft.criteria}
            onChange={({ currentTarget }) => put({ criteria: currentTarget.value })}
          />
        )}
        <Select
          label={t("Answers")}
          data={[{ value: sweep.id, label: t("All configurations") }, ...runs]}
          value={draft.target}
          onChange={(target) => put({ target: target ?? sweep.id })}
          allowDeselect={false}
        />
        <NumberInput
          label={t("Repetitions")}
          description={t("Two or more show how much the judge contradicts itself.")}
          min={1}
          max={100}
          allowDecimal={false}
          value={draft.repeats}
          onChange={(repeats) => put({ repeats })}
        />
        <FileInput
          label={t("Task file")}
          description={t(
            "Written by passer judge tune: its instruction and examples replace PaSSER’s. Optional.",
          )}
          placeholder={t("Choose a file")}
          accept=".json,application/json"
          clearable
          value={file}
          onChange={(chosen) => void read(chosen)}
          error={isWrong && t("This is no task file. Choose a file that passer judge tune wrote.")}
        />
        <BudgetField
          hasPrice
          value={draft.budget}
          onChange={({ currentTarget }) => put({ budget: currentTarget.value })}
        />
        <PriceFields price={draft.price} onChange={(price) => put({ price })} />
      </SimpleGrid>
      <StartAssessment request={request} onStarted={onStarted} />
    </Panel>
  );
}
