import { Button, Group, NumberInput, Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { arenaQueries, useStartByScore } from "@/api/arena";
import { judgingQueries } from "@/api/judging";
import { systemQueries } from "@/api/system";
import { Facts } from "@/components/Facts";
import { FieldGrid } from "@/components/FieldGrid";
import { bindChoice, typedNumber } from "@/components/fields";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { useSettled } from "@/components/useSettled";
import { t } from "@/words";
import { type Chosen, Entrants, runsOf } from "./Entrants";

/** Games that a stored score decides: at once, and without a request. */
export function ByScore({ sweep }: { sweep: string | undefined }) {
  const [chosen, setChosen] = useState<Chosen>({ sweeps: sweep ? [sweep] : [], runs: [] });
  const [assessment, setAssessment] = useState<string | null>(null);
  const [column, setColumn] = useState<string | null>(null);
  const [epsilon, setEpsilon] = useState<number | string>("");
  const runs = runsOf(chosen);
  const body = runs && column && { runs, rule: { column, assessment, epsilon: typedNumber(epsilon) ?? 0 } };
  const settled = useSettled(body || undefined);
  const plan = useQuery({
    ...arenaQueries.planByScore(settled ?? { runs: [""], rule: { column: "-", epsilon: 0 } }),
    enabled: settled !== undefined,
  });
  const start = useStartByScore();
  const navigate = useNavigate();
  const submit = async () => {
    if (!body) return;
    const made = await start.mutateAsync({ body }).catch(() => null);
    if (made) await navigate({ to: "/arena/$id", params: { id: made.tournament.id } });
  };
  return (
    <Panel title={t("Games by a score")}>
      <Text size="sm">
        {t(
          "The answer with the better score wins. No model is asked, so metrics, judged metrics and judges can be compared as tournaments.",
        )}
      </Text>
      <FieldGrid>
        <Entrants {...chosen} onChange={setChosen} />
        <ScoreFields
          sweep={chosen.sweeps[0]}
          assessment={assessment}
          column={column}
          onChange={(from, next) => {
            setAssessment(from);
            setColumn(next);
          }}
        />
        <NumberInput
          label={t("Tie up to a difference of")}
          description={t("Empty means 0: only equal scores are a tie.")}
          min={0}
          value={epsilon}
          onChange={setEpsilon}
        />
      </FieldGrid>
      {settled && plan.isError && <ProblemNotice error={plan.error} />}
      {settled && plan.data && (
        <Facts
          facts={[
            [t("Games"), formatCount(plan.data.games)],
            [t("Ties"), formatCount(plan.data.ties)],
            [t("Games without an outcome"), formatCount(plan.data.undecided)],
            [t("Questions without an answer"), formatCount(plan.data.unanswered)],
          ]}
        />
      )}
      <ProblemNotice error={start.error} />
      <Group>
        <Button variant="default" disabled={!body || plan.isError} loading={start.isPending} onClick={submit}>
          {t("Decide by this score")}
        </Button>
      </Group>
    </Panel>
  );
}

interface FieldsProps {
  sweep: string | undefined;
  assessment: string | null;
  column: string | null;
  onChange: (assessment: string | null, column: string | null) => void;
}

/** Two fields: where the score comes from, and which it is. */
function ScoreFields({ sweep, assessment, column, onChange }: FieldsProps) {
  const metrics = useQuery(systemQueries.metrics("standard"));
  const judged = useQuery({ ...judgingQueries.list(sweep ?? ""), enabled: sweep !== undefined });
  const items = sweep === undefined ? [] : (judged.data?.items ?? []);
  const from = items.find((each) => each.assessment.id === assessment)?.assessment;
  return (
    <>
      <Select
        label={t("Score from")}
        data={[
          { value: "", label: t("Metrics of the runs") },
          ...items.map(({ assessment: { id, spec } }) => ({
            value: id,
            label: `${spec.judge?.model.name ?? t("without a judge")}, ${id}`,
          })),
        ]}
        {...bindChoice(assessment ?? "", (value) => onChange(value || null, null))}
      />
      <Select
        label={t("Score")}
        data={from ? [...from.spec.columns] : (metrics.data?.items.map(({ name }) => name) ?? [])}
        value={column}
        onChange={(next) => onChange(assessment, next)}
        searchable
      />
    </>
  );
}
