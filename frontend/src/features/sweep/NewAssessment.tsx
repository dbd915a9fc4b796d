import { Button, Group, MultiSelect, NumberInput, Select, SimpleGrid } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { judgingQueries, useStartAssessment } from "@/api/judging";
import { systemQueries } from "@/api/system";
import type { AssessmentRequest, Sending, SweepDetail } from "@/api/types";
import { BudgetField } from "@/components/BudgetField";
import { JudgeSelect } from "@/components/judging/JudgeSelect";
import { Plan } from "@/components/judging/Plan";
import { BUILT_IN, modelOf } from "@/components/models/value";
import { typedNumber } from "@/components/numbers/typed";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { t } from "@/words";

const SETTLED_MS = 400;

interface Draft {
  judge: string | null;
  columns: string[];
  target: string;
  repeats: number | string;
  budget: string;
  input: number | string;
  output: number | string;
}

/** The request of a draft; undefined while something is missing. */
function requestOf(draft: Draft): Sending<AssessmentRequest> | undefined {
  const { judge, columns, target, repeats } = draft;
  if (!judge || columns.length === 0 || typeof repeats !== "number") return undefined;
  const input = typedNumber(draft.input);
  const output = typedNumber(draft.output);
  return {
    target,
    judge: modelOf(judge),
    columns,
    repeats,
    budget: draft.budget,
    price: input === null || output === null ? null : { input, output },
  };
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
    target: sweep.id,
    repeats: 1,
    budget: "",
    input: "",
    output: "",
  });
  const put = (next: Partial<Draft>) => setDraft((before) => ({ ...before, ...next }));
  const metrics = useQuery(systemQueries.metrics("judged"));
  const request = requestOf(draft);
  const [settled] = useDebouncedValue(request, SETTLED_MS);
  const plan = useQuery({
    ...judgingQueries.plan(settled ?? { target: sweep.id, judge: modelOf(BUILT_IN) }),
    enabled: settled !== undefined,
  });
  const start = useStartAssessment();
  const submit = async () => {
    if (!request) return;
    const { assessment } = await start.mutateAsync({ body: request as AssessmentRequest });
    onStarted(assessment.id);
  };
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
        <BudgetField
          hasPrice
          value={draft.budget}
          onChange={({ currentTarget }) => put({ budget: currentTarget.value })}
        />
        <SimpleGrid cols={2} spacing="xs">
          <NumberInput
            label={t("Price of input")}
            description={t("per million tokens")}
            min={0}
            value={draft.input}
            onChange={(input) => put({ input })}
          />
          <NumberInput
            label={t("Price of output")}
            description={t("per million tokens")}
            min={0}
            value={draft.output}
            onChange={(output) => put({ output })}
          />
        </SimpleGrid>
      </SimpleGrid>
      {settled && <Plan query={plan} />}
      {start.error && <ProblemNotice error={start.error} />}
      <Group>
        <Button disabled={!request || plan.isError} loading={start.isPending} onClick={submit}>
          {t("Start assessment")}
        </Button>
      </Group>
    </Panel>
  );
}
