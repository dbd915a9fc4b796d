import { Checkbox, NumberInput, Select, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { arenaQueries, useStartTournament } from "@/api/arena";
import { usual } from "@/api/defaults";
import type { ArenaOptions, ArenaRequest, Sending } from "@/api/types";
import { CostFields, type Costs, NO_COSTS, sentCosts } from "@/components/CostFields";
import { FieldGrid } from "@/components/FieldGrid";
import { bindChoice, bindText, bindTick, bindWhole, typedNumber } from "@/components/fields";
import { AskingPlan } from "@/components/judging/AskingPlan";
import { JudgeSelect } from "@/components/judging/JudgeSelect";
import { BUILT_IN, modelOf } from "@/components/models/value";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { SendButton } from "@/components/SendButton";
import { useSettled } from "@/components/useSettled";
import { t } from "@/words";
import { type Chosen, Entrants, runsOf } from "./Entrants";
import { GradesSelect, gradesOf } from "./GradesSelect";
import { planFacts } from "./planFacts";
import { type Reproduced, SeedFields, USUAL } from "./SeedFields";

type Documents = ArenaOptions["documents"];
type By = NonNullable<ArenaOptions["by"]>;
type Orders = NonNullable<ArenaOptions["orders"]>;
/** Whether the judge reads grades of passages, which another assessment has given. */
const isGraded = (documents: Documents) => documents === "grade" || documents === "text+grade";

interface Draft extends Chosen {
  judge: string | null;
  by: By;
  documents: Documents;
  relevance: string | null;
  leastGrade: number | string;
  perQuestion: number | string;
  orders: Orders;
  citations: boolean;
  expertIn: string;
  language: string;
  factors: string;
  costs: Costs;
  reproduced: Reproduced;
}

/** A field of the request where a number is typed; else the server takes its default. */
function given<Name extends string>(name: Name, value: number | string) {
  const typed = typedNumber(value);
  return typed === null ? {} : { [name]: typed };
}

/** The request of a draft; undefined while something is missing. */
function requestOf(draft: Draft) {
  const {
    judge,
    by,
    documents,
    relevance,
    leastGrade,
    perQuestion,
    orders,
    citations,
    expertIn,
    language,
    factors,
    costs,
    reproduced,
  } = draft;
  const runs = runsOf(draft);
  if (!runs || !judge || (isGraded(documents) && !relevance)) return undefined;
  const request: Sending<ArenaRequest> = {
    runs,
    judge: modelOf(judge),
    options: {
      by,
      documents,
      ...(isGraded(documents) && relevance ? gradesOf(relevance) : {}),
      per_question: typedNumber(perQuestion),
      orders,
      citations,
      expert_in: expertIn.trim(),
      language: language.trim(),
      least_grade: typedNumber(leastGrade) ?? usual.least_grade,
      ...(factors.trim() ? { factors: factors.trim() } : {}),
      ...given("seed", reproduced.drawSeed),
    },
    ...sentCosts(costs),
    ...given("seed", reproduced.judgeSeed),
    ...given("num_ctx", reproduced.window),
  };
  return request;
}

/** The form of a new tournament: which runs, which judge, and what that costs. */
export function NewTournament({ sweep }: { sweep: string | undefined }) {
  const [draft, setDraft] = useState<Draft>({
    sweeps: sweep ? [sweep] : [],
    runs: [],
    judge: null,
    by: "whole",
    documents: "text",
    relevance: null,
    leastGrade: "",
    perQuestion: "",
    orders: "both",
    citations: false,
    expertIn: "",
    language: "",
    factors: "",
    costs: NO_COSTS,
    reproduced: USUAL,
  });
  const put = (next: Partial<Draft>) => setDraft((before) => ({ ...before, ...next }));
  const request = requestOf(draft);
  const [first] = draft.sweeps;
  const settled = useSettled(request);
  const plan = useQuery({
    ...arenaQueries.plan(settled ?? { runs: [""], judge: modelOf(BUILT_IN) }),
    enabled: settled !== undefined,
  });
  const start = useStartTournament();
  const navigate = useNavigate();
  const submit = async () => {
    if (!request) return;
    const made = await start.mutateAsync({ body: request as ArenaRequest }).catch(() => null);
    if (made) await navigate({ to: "/arena/$id", params: { id: made.tournament.id } });
  };
  return (
    <Panel title={t("New tournament")}>
      <FieldGrid>
        <Entrants
          sweeps={draft.sweeps}
          runs={draft.runs}
          onChange={(next) => put(next.sweeps[0] === draft.sweeps[0] ? next : { ...next, relevance: null })}
        />
        <JudgeSelect value={draft.judge} onChange={(judge) => put({ judge })} />
        <Select
          label={t("Compare")}
          description={
            draft.by === "criteria"
              ? t(
                  "The judge writes five criteria for each question. The answer that meets more of them wins.",
                )
              : t("The judge reads both answers and says which is better.")
          }
          data={[
            { value: "whole", label: t("Answers as a whole") },
            { value: "criteria", label: t("By five criteria") },
          ]}
          {...bindChoice(draft.by, (by) => put({ by }))}
        />
        <Select
          label={t("Documents")}
          description={t("Text that the judge reads in addition to the two answers.")}
          data={[
            { value: "text", label: t("Passages of all configurations") },
            { value: "text+grade", label: t("Relevant passages with their grades") },
            { value: "grade", label: t("Grades of relevant passages, without texts") },
            { value: "none", label: t("Nothing") },
          ]}
          {...bindChoice(draft.documents, (documents) => put({ documents }))}
        />
        {isGraded(draft.documents) && first !== undefined && (
          <>
            <GradesSelect
              sweep={first}
              value={draft.relevance}
              onChange={(relevance) => put({ relevance })}
            />
            <NumberInput
              label={t("Minimum grade")}
              description={t("Passages with a lower grade are left out. Empty means {least, number}.", {
                least: usual.least_grade,
              })}
              min={0}
              max={3}
              {...bindWhole(draft.leastGrade, (leastGrade) => put({ leastGrade }))}
            />
          </>
        )}
        <NumberInput
          label={t("Games per question")}
          description={t(
            "Empty means every pair. A smaller number is drawn so that all pairs play equally often.",
          )}
          min={1}
          {...bindWhole(draft.perQuestion, (perQuestion) => put({ perQuestion }))}
        />
        <Select
          label={t("Order of the answers")}
          description={t(
            "One order takes half the requests, but a judge that prefers the first answer is not noticed.",
          )}
          data={[
            { value: "both", label: t("Both orders") },
            { value: "one", label: t("One order, drawn at random") },
          ]}
          {...bindChoice(draft.orders, (orders) => put({ orders }))}
        />
        <TextInput
          label={t("Field of expertise")}
          description={t("The prompt calls the judge an expert in this field. Optional.")}
          maxLength={200}
          {...bindText(draft.expertIn, (expertIn) => put({ expertIn }))}
        />
        <TextInput
          label={t("Language of the judge")}
          description={t(
            "Language of the judge’s explanations, such as Bulgarian. Empty means the language of the question.",
          )}
          maxLength={50}
          {...bindText(draft.language, (language) => put({ language }))}
        />
        <CostFields costs={draft.costs} onChange={(costs) => put({ costs })} />
      </FieldGrid>
      <SeedFields value={draft.reproduced} onChange={(reproduced) => put({ reproduced })} />
      <Textarea
        label={t("Criteria for the better answer")}
        placeholder={usual.factors}
        maxLength={500}
        autosize
        {...bindText(draft.factors, (factors) => put({ factors }))}
      />
      <Checkbox
        label={t("Answers cite passages")}
        description={t(
          "Tells the judge that numbers such as [1] refer to passages of the system that answered.",
        )}
        {...bindTick(draft.citations, (citations) => put({ citations }))}
      />
      {settled && <AskingPlan query={plan} factsOf={planFacts} />}
      <ProblemNotice error={start.error} />
      <SendButton
        missing={request ? null : t("Choose a sweep and a judge.")}
        disabled={plan.isError}
        loading={start.isPending}
        onClick={submit}
      >
        {t("Start tournament")}
      </SendButton>
    </Panel>
  );
}
