import { Checkbox, MultiSelect, NumberInput, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { draftingQueries, useStartDrafting } from "@/api/drafting";
import { collectionQueries } from "@/api/materials";
import type { DraftPlan, DraftRequest, Sending } from "@/api/types";
import { CostFields, type Costs, NO_COSTS, sentCosts } from "@/components/CostFields";
import { FieldGrid } from "@/components/FieldGrid";
import { bindChoice, bindTick, bindWhole, typedNumber } from "@/components/fields";
import { AskingPlan } from "@/components/judging/AskingPlan";
import { JudgeSelect } from "@/components/judging/JudgeSelect";
import { useWritingModels } from "@/components/models/useModelChoices";
import { BUILT_IN, modelOf } from "@/components/models/value";
import { formatCount, formatScore } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { QueryState } from "@/components/QueryState";
import { SendButton } from "@/components/SendButton";
import { useSettled } from "@/components/useSettled";
import { t } from "@/words";
import { Limits, type LimitValues } from "./Limits";
import { sentWriting, USUAL_WRITING, Writing, type WritingValues } from "./Writing";
import { WAYS } from "./words";

/** A verdict needs 20 questions, and people refuse some. */
const TARGET = 40;
const ALL = 1;

type Way = keyof typeof WAYS;
type Review = "all" | "sample" | "none";

/** The share of drafts that wait for a person; null while it is not typed. */
function reviewOf({ review, sampled }: Draft): number | null {
  if (review !== "sample") return review === "all" ? ALL : 0;
  const percent = typedNumber(sampled);
  return percent === null ? null : percent / 100;
}

interface Draft {
  collection: string | null;
  way: Way;
  writers: string[];
  judge: string | null;
  target: number | string;
  review: Review;
  /** Percent of the drafts that wait for a person, where a sample does. */
  sampled: number | string;
  costs: Costs;
  limits: LimitValues;
  writing: WritingValues;
  /** Whether questions of a way without answers are answered too. */
  answers: boolean;
}

/** The request of a draft; undefined while something is missing. */
function requestOf(draft: Draft) {
  const { collection, way, writers, judge, target, limits } = draft;
  const review = reviewOf(draft);
  if (!collection || writers.length === 0 || typeof target !== "number" || review === null) return undefined;
  const request: Sending<DraftRequest> = {
    collection,
    way,
    models: writers.map(modelOf),
    target,
    review,
    ...sentCosts(draft.costs),
    ...sentWriting(draft.writing, way === "inpars"),
    limits: {
      answerability: typedNumber(limits.answerability),
      faithfulness: typedNumber(limits.faithfulness),
      relevance: typedNumber(limits.relevance),
      stand_alone: typedNumber(limits.stand_alone),
      similarity: typedNumber(limits.similarity),
    },
    ...(way === "agentic" && judge ? { judge: modelOf(judge) } : {}),
    ...(way === "inpars" ? { answers: draft.answers } : {}),
  };
  return request;
}

/** The form of a new drafting: which documents, which models, which checks, and what that costs. */
export function DraftingForm({ collection }: { collection: string | undefined }) {
  const [draft, setDraft] = useState<Draft>({
    collection: collection ?? null,
    way: "agentic",
    writers: [],
    judge: null,
    target: TARGET,
    review: "all",
    sampled: 20,
    costs: NO_COSTS,
    limits: { answerability: 1, faithfulness: 0.9, relevance: 0.9, stand_alone: "", similarity: 0.9 },
    writing: USUAL_WRITING,
    answers: false,
  });
  const put = (next: Partial<Draft>) => setDraft((before) => ({ ...before, ...next }));
  const collections = useQuery(collectionQueries.list());
  const request = requestOf(draft);
  const settled = useSettled(request);
  const plan = useQuery({
    ...draftingQueries.plan(settled ?? { collection: "-", models: [modelOf(BUILT_IN)] }),
    enabled: settled !== undefined,
  });
  const start = useStartDrafting();
  const navigate = useNavigate();
  const submit = async () => {
    if (!request) return;
    const made = await start.mutateAsync({ body: request as DraftRequest }).catch(() => null);
    if (made) await navigate({ to: "/drafts/$id", params: { id: made.table.assessment.id } });
  };
  const isJudged = draft.way === "agentic";
  return (
    <Panel title={t("Drafting settings")}>
      <QueryState query={collections} />
      <FieldGrid>
        <Select
          label={t("Collection")}
          data={(collections.data?.items ?? []).map(({ collection: { name } }) => name)}
          value={draft.collection}
          onChange={(next) => put({ collection: next })}
          searchable
        />
        <Select
          label={t("Method")}
          data={Object.entries(WAYS).map(([value, label]) => ({ value, label }))}
          {...bindChoice(draft.way, (way) => put({ way }))}
        />
        <WriterSelect values={draft.writers} onChange={(writers) => put({ writers })} />
        {isJudged && (
          <JudgeSelect
            description={t("Checks the drafts. Choose a different model from the one that writes them.")}
            value={draft.judge}
            onChange={(judge) => put({ judge })}
          />
        )}
        <NumberInput
          label={t("Questions")}
          description={t("Drafting ends when this many pass. A verdict needs at least 20.")}
          min={1}
          {...bindWhole(draft.target, (target) => put({ target }))}
        />
        <Select
          label={t("Review")}
          data={[
            { value: "all", label: t("Review every draft") },
            { value: "sample", label: t("Review a random share") },
            { value: "none", label: t("Accept drafts that pass all checks") },
          ]}
          {...bindChoice(draft.review, (review) => put({ review }))}
        />
        {draft.review === "sample" && (
          <NumberInput
            label={t("Share to review (%)")}
            description={t("The other drafts that pass all checks are accepted.")}
            min={1}
            max={100}
            value={draft.sampled}
            onChange={(sampled) => put({ sampled })}
          />
        )}
        <CostFields costs={draft.costs} onChange={(costs) => put({ costs })} />
      </FieldGrid>
      {draft.way === "inpars" && (
        <Checkbox
          label={t("Draft reference answers too")}
          description={t("One more request per question. You can also do it after the review.")}
          {...bindTick(draft.answers, (answers) => put({ answers }))}
        />
      )}
      <Writing
        isByTokens={draft.way === "inpars"}
        values={draft.writing}
        onChange={(writing) => put({ writing })}
      />
      <Limits isJudged={isJudged} values={draft.limits} onChange={(limits) => put({ limits })} />
      {settled && <AskingPlan query={plan} factsOf={planFacts} />}
      <ProblemNotice error={start.error} />
      <SendButton
        missing={
          request ? null : t("Choose a collection, a model that writes, and how many questions you want.")
        }
        disabled={plan.isError}
        loading={start.isPending}
        onClick={submit}
      >
        {t("Draft questions")}
      </SendButton>
    </Panel>
  );
}

/** Most models that one drafting may name. */
const MOST = 8;

interface WriterSelectProps {
  values: string[];
  onChange: (values: string[]) => void;
}

/** The choice of the models that write; each of them reads the same texts. */
function WriterSelect({ values, onChange }: WriterSelectProps) {
  const writers = useWritingModels(values);
  return (
    <MultiSelect
      label={t("Models that write")}
      description={
        writers.length === 0
          ? t("No model is available. Connect a model server under Settings.")
          : t("Each model reads the same texts. Small models write few usable questions.")
      }
      data={writers}
      value={values}
      onChange={onChange}
      maxValues={MOST}
      searchable
    />
  );
}

/** What drafting would ask at least, before it starts. */
function planFacts(plan: DraftPlan): [string, string][] {
  const { input_tokens: input, output_tokens: output, cost } = plan;
  return [
    [t("Passages"), formatCount(plan.passages)],
    [t("Texts to read"), formatCount(plan.windows)],
    [t("Language"), plan.language],
    [t("Requests per question"), t("at least {count, number}", { count: plan.asks_each })],
    [t("Requests"), t("at least {count, number}", { count: plan.asks })],
    [
      t("Tokens"),
      t("about {input, number} of prompts, at most {output, number} of replies", { input, output }),
    ],
    [
      t("Cost"),
      cost == null
        ? t("unknown: enter the prices")
        : t("about {cost} if every draft passes", { cost: formatScore(cost, 2) }),
    ],
  ];
}
