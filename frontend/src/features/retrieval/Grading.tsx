import { Button, NumberInput, Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { judgingQueries } from "@/api/judging";
import type { AssessmentRequest, ListedAssessment, RetrievalRequest, Sending } from "@/api/types";
import { CostFields, NO_COSTS, sentCosts } from "@/components/CostFields";
import { FieldGrid } from "@/components/FieldGrid";
import { bindChoice, bindWhole } from "@/components/fields";
import { AssessmentSelect } from "@/components/judging/AssessmentSelect";
import { Calibration } from "@/components/judging/Calibration";
import { JudgeSelect } from "@/components/judging/JudgeSelect";
import { JudgingProgress } from "@/components/judging/JudgingProgress";
import { OF_PASSAGES, RelevanceGrades } from "@/components/judging/RelevanceGrades";
import { StartAssessment } from "@/components/judging/StartAssessment";
import { modelOf } from "@/components/models/value";
import { Panel } from "@/components/Panel";
import { StateBadge } from "@/components/StateBadge";
import { Warnings } from "@/components/Warnings";
import { t } from "@/words";

const route = getRouteApi("/retrieval");
const MOST_K = 1000;

/** Passages that any of the retrievers found, graded by a judge: all retrievers are measured by the same grades. */
export function Grading({ body }: { body: RetrievalRequest }) {
  const query = useQuery(judgingQueries.ofDataset(body.dataset));
  const [isNew, setNew] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const items = (query.data?.items ?? []).filter(
    ({ assessment: { spec } }) => spec.pool?.collection === body.collection,
  );
  const shown = items.find(({ assessment }) => assessment.id === chosen) ?? items[0];
  const start = (id: string) => {
    setNew(false);
    setChosen(id);
  };
  return (
    <Panel title={t("Passage grades")}>
      <Text size="sm">
        {t(
          "A judge grades the first K passages of all retrievers together, each passage once. Every retriever is then measured by the same grades, and no passage is unjudged.",
        )}
      </Text>
      <AssessmentSelect items={items} shown={shown} onChange={setChosen} />
      {shown && <Graded key={shown.assessment.id} listed={shown} />}
      {isNew ? (
        <NewPool body={body} onStarted={start} />
      ) : (
        <Button variant="default" onClick={() => setNew(true)} style={{ alignSelf: "flex-start" }}>
          {t("Grade by a judge")}
        </Button>
      )}
    </Panel>
  );
}

/** Progress of one pool; once it is graded, its grades measure the retrievers. */
function Graded({ listed }: { listed: ListedAssessment }) {
  const search = route.useSearch();
  const { data } = useQuery(judgingQueries.detail(listed.assessment.id));
  const { id, spec } = listed.assessment;
  const job = data?.job ?? listed.job;
  return (
    <>
      <Text size="sm">
        {t("{judge}: first {k, number} of {retrievers}; {n, plural, one {# passage} other {# passages}}.", {
          judge: spec.judge.model.name,
          k: spec.pool?.k ?? 0,
          retrievers: spec.pool?.labels.join(", ") ?? "",
          n: listed.pooled ?? 0,
        })}{" "}
        {job && <StateBadge state={job.state} />}
      </Text>
      {job && <JudgingProgress job={job} cancel={t("Cancel assessment")} />}
      {data && <Warnings warnings={data.table.warnings} />}
      {job?.state === "finished" &&
        spec.columns.map((column) => (
          <RelevanceGrades key={column} id={id} column={column} before={search}>
            {t("Save the grades, then compare the retrievers by them instead of the gold passages.")}
          </RelevanceGrades>
        ))}
      {job?.state === "finished" && <Calibration id={id} />}
    </>
  );
}

interface Props {
  body: RetrievalRequest;
  onStarted: (id: string) => void;
}

function NewPool({ body, onStarted }: Props) {
  const [judge, setJudge] = useState<string | null>(null);
  const [column, setColumn] = useState(OF_PASSAGES[0] ?? "");
  const [k, setK] = useState<number | string>(10);
  const [costs, setCosts] = useState(NO_COSTS);
  const pool = { ...body, qrels: null, ks: [Number(k)] };
  const request: Sending<AssessmentRequest> | undefined =
    judge && Number(k) >= 1
      ? { pool, judge: modelOf(judge), columns: [column], ...sentCosts(costs) }
      : undefined;
  return (
    <>
      <FieldGrid>
        <JudgeSelect
          value={judge}
          onChange={setJudge}
          description={t("Choose a different model from the one that reranks or writes variations.")}
        />
        <Select
          label={t("Metric")}
          description={t("Grades 0 to 2, or 0 to 3 (UMBRELA).")}
          data={OF_PASSAGES}
          {...bindChoice(column, setColumn)}
        />
        <NumberInput
          label={t("First passages of each ranking")}
          min={1}
          max={MOST_K}
          {...bindWhole(k, setK)}
        />
        <CostFields costs={costs} onChange={setCosts} />
      </FieldGrid>
      <StartAssessment request={request} onStarted={onStarted} of={t("Passages")} />
    </>
  );
}
