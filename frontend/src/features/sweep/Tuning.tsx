import { Button, Group, NumberInput, Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { judgingQueries, useStartTuning } from "@/api/judging";
import type { TunedTask, TuningPlan, TuningRequest } from "@/api/types";
import { BudgetField } from "@/components/BudgetField";
import { Facts } from "@/components/Facts";
import { FieldGrid } from "@/components/FieldGrid";
import { ForRole, useMay } from "@/components/ForRole";
import { bindChoice, bindText } from "@/components/fields";
import { formatCount } from "@/components/numbers/format";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Subsection } from "@/components/Subsection";
import { useSettled } from "@/components/useSettled";
import { Warnings } from "@/components/Warnings";
import { t } from "@/words";
import { TuningResult } from "./TuningResult";

interface Props {
  /** Assessment whose answers people rated. */
  id: string;
  /** Begin an assessment with a tuned task. */
  onUse: (tuned: TunedTask) => void;
}

/** Tunes the judge's task by the ratings of people: the form, and what was tuned before. */
export function Tuning({ id, onUse }: Props) {
  const { data } = useQuery(judgingQueries.tunings(id));
  const [isOpen, setOpen] = useState(false);
  const may = useMay();
  if (!data || data.tasks.length === 0 || (!may && data.items.length === 0)) return null;
  return (
    <Subsection title={t("Tuning")}>
      <ForRole>
        {" "}
        <Text size="sm">
          {t(
            "Your ratings can improve the judge’s instruction: some become worked examples, some choose among instructions that the judge writes, and the others test the choice once.",
          )}
        </Text>
        {isOpen ? (
          <Form id={id} tasks={data.tasks} onStarted={() => setOpen(false)} />
        ) : (
          <Button variant="default" onClick={() => setOpen(true)} style={{ alignSelf: "flex-start" }}>
            {t("Tune the judge")}
          </Button>
        )}
      </ForRole>
      {data.items.map((tuning) => (
        <TuningResult key={tuning.id} tuning={tuning} onUse={onUse} />
      ))}
    </Subsection>
  );
}

interface FormProps {
  id: string;
  /** Metrics of each task; those of one task are tuned together. */
  tasks: string[][];
  onStarted: () => void;
}

interface Draft {
  column: string;
  train: number | string;
  few_shots: number | string;
  instructions: number | string;
  seed: number | string;
  budget: string;
}

/** The request of a draft; undefined while a number is missing. */
function requestOf({ column, train, few_shots, instructions, seed, budget }: Draft) {
  const numbers = [train, few_shots, instructions, seed];
  if (numbers.some((each) => typeof each !== "number")) return undefined;
  return {
    column,
    train: Number(train) / 100,
    few_shots: Number(few_shots),
    instructions: Number(instructions),
    seed: Number(seed),
    budget,
  };
}

function Form({ id, tasks, onStarted }: FormProps) {
  const [draft, setDraft] = useState<Draft>({
    column: tasks[0]?.[0] ?? "",
    train: 50,
    few_shots: 8,
    instructions: 10,
    seed: 1,
    budget: "",
  });
  const put = (next: Partial<Draft>) => setDraft((before) => ({ ...before, ...next }));
  const request = requestOf(draft);
  const settled = useSettled(request);
  const plan = useQuery({ ...judgingQueries.tuningPlan(id, settled ?? {}), enabled: settled !== undefined });
  const start = useStartTuning();
  const submit = async () => {
    const params = { path: { assessment_id: id } };
    const body = (request ?? {}) as TuningRequest;
    if (await start.mutateAsync({ params, body }).catch(() => null)) onStarted();
  };
  const number = (name: "train" | "few_shots" | "instructions" | "seed") => ({
    allowDecimal: false,
    value: draft[name],
    onChange: (value: number | string) => put({ [name]: value }),
  });
  return (
    <>
      <FieldGrid>
        <Select
          label={t("Metric to tune")}
          data={tasks.map((columns) => ({ value: columns[0] ?? "", label: columns.join(", ") }))}
          {...bindChoice(draft.column, (column) => put({ column }))}
        />
        <NumberInput
          label={t("Share of questions for selection (%)")}
          description={t("The other rated questions test the selected candidate.")}
          min={20}
          max={80}
          {...number("train")}
        />
        <NumberInput
          label={t("Worked examples")}
          description={t("Rated answers that the judge reads before each request.")}
          min={0}
          max={16}
          {...number("few_shots")}
        />
        <NumberInput
          label={t("Instructions to compare")}
          description={t("Number of rewrites that the judge writes.")}
          min={0}
          max={30}
          {...number("instructions")}
        />
        <NumberInput
          label={t("Seed")}
          description={t(
            "Determines which rated questions become examples, which are used for the selection and which for the test.",
          )}
          min={0}
          max={2 ** 31 - 1}
          {...number("seed")}
        />
        <BudgetField {...bindText(draft.budget, (budget) => put({ budget }))} />
      </FieldGrid>
      {plan.isError && <ProblemNotice error={plan.error} />}
      {plan.data && !plan.isError && (
        <>
          <Facts facts={factsOf(plan.data)} />
          <Warnings warnings={plan.data.notes ?? []} />
        </>
      )}
      <ProblemNotice error={start.error} />
      <Group>
        <Button disabled={!request || plan.isError} loading={start.isPending} onClick={() => void submit()}>
          {t("Start tuning")}
        </Button>
      </Group>
    </>
  );
}

function factsOf({ columns, shots, selection, test, asks }: TuningPlan): [string, string][] {
  return [
    [t("Tuned by ratings of"), columns.join(", ")],
    [t("Rated answers as examples"), formatCount(shots)],
    [t("Rated answers for selection"), formatCount(selection)],
    [t("Rated answers for the test"), formatCount(test)],
    [t("Requests"), t("at most {count, number}", { count: asks })],
  ];
}
