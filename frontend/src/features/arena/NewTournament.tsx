import { Button, Group, MultiSelect, NumberInput, Select, SimpleGrid, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { arenaQueries, useStartTournament } from "@/api/arena";
import { sweepQueries } from "@/api/sweeps";
import type { ArenaRequest, Sending } from "@/api/types";
import { JudgeSelect } from "@/components/judging/JudgeSelect";
import { BUILT_IN, modelOf } from "@/components/models/value";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { t } from "@/words";
import { TournamentPlan } from "./TournamentPlan";

const SETTLED_MS = 400;

interface Draft {
  sweep: string | null;
  runs: string[];
  judge: string | null;
  documents: string;
  perQuestion: number | string;
  factors: string;
  asks: number | string;
}

const numberOf = (value: number | string) => (typeof value === "number" ? value : null);

/** The request of a draft; undefined while something is missing. */
function requestOf({ sweep, runs, judge, documents, perQuestion, factors, asks }: Draft) {
  if (!sweep || !judge || runs.length === 1) return undefined;
  const request: Sending<ArenaRequest> = {
    runs: runs.length > 0 ? runs : [sweep],
    judge: modelOf(judge),
    options: {
      documents: documents === "none" ? "none" : "text",
      per_question: numberOf(perQuestion),
      ...(factors.trim() ? { factors: factors.trim() } : {}),
    },
    budget: { asks: numberOf(asks) },
  };
  return request;
}

/** The form of a new tournament: which runs, which judge, and what that costs. */
export function NewTournament({ sweep }: { sweep: string | undefined }) {
  const [draft, setDraft] = useState<Draft>({
    sweep: sweep ?? null,
    runs: [],
    judge: null,
    documents: "text",
    perQuestion: "",
    factors: "",
    asks: "",
  });
  const put = (next: Partial<Draft>) => setDraft((before) => ({ ...before, ...next }));
  const sweeps = useQuery(sweepQueries.all());
  const request = requestOf(draft);
  const [settled] = useDebouncedValue(request, SETTLED_MS);
  const plan = useQuery({
    ...arenaQueries.plan(settled ?? { runs: [""], judge: modelOf(BUILT_IN) }),
    enabled: settled !== undefined,
  });
  const start = useStartTournament();
  const navigate = useNavigate();
  const submit = async () => {
    if (!request) return;
    const { tournament } = await start.mutateAsync({ body: request as ArenaRequest });
    await navigate({ to: "/arena/$id", params: { id: tournament.id } });
  };
  const known = sweeps.data ?? [];
  const runs = known.find(({ id }) => id === draft.sweep)?.runs ?? [];
  return (
    <Panel title={t("New tournament")}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <Select
          label={t("Sweep")}
          data={known
            .filter(({ runs }) => runs.length > 1)
            .map(({ id, sweep: { name } }) => ({ value: id, label: name }))}
          value={draft.sweep}
          onChange={(next) => put({ sweep: next, runs: [] })}
          searchable
        />
        <MultiSelect
          label={t("Configurations")}
          description={t("Empty means all of them.")}
          data={runs.map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.runs}
          onChange={(next) => put({ runs: next })}
          error={draft.runs.length === 1 && t("A tournament needs two configurations or more.")}
          searchable
        />
        <JudgeSelect value={draft.judge} onChange={(judge) => put({ judge })} />
        <Select
          label={t("Documents")}
          description={t("What the judge reads beside the two answers.")}
          data={[
            { value: "text", label: t("Passages of all configurations") },
            { value: "none", label: t("Nothing") },
          ]}
          value={draft.documents}
          onChange={(documents) => put({ documents: documents ?? "text" })}
          allowDeselect={false}
        />
        <NumberInput
          label={t("Games per question")}
          description={t("Empty means every pair; fewer are drawn so that all pairs play equally often.")}
          min={1}
          allowDecimal={false}
          value={draft.perQuestion}
          onChange={(perQuestion) => put({ perQuestion })}
        />
        <NumberInput
          label={t("Request limit")}
          description={t("The tournament pauses at this number of requests. Empty means no limit.")}
          min={1}
          allowDecimal={false}
          value={draft.asks}
          onChange={(asks) => put({ asks })}
        />
      </SimpleGrid>
      <Textarea
        label={t("What makes an answer better")}
        placeholder="correctness, helpfulness, completeness, accuracy, depth and level of detail"
        maxLength={500}
        autosize
        value={draft.factors}
        onChange={({ currentTarget }) => put({ factors: currentTarget.value })}
      />
      {settled && <TournamentPlan query={plan} />}
      {start.error && <ProblemNotice error={start.error} />}
      <Group>
        <Button disabled={!request || plan.isError} loading={start.isPending} onClick={submit}>
          {t("Start tournament")}
        </Button>
      </Group>
    </Panel>
  );
}
