import { Button, MultiSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { judgingQueries } from "@/api/judging";
import { datasetQueries } from "@/api/materials";
import type { AssessmentRequest, Sending } from "@/api/types";
import { CostFields, NO_COSTS, sentCosts } from "@/components/CostFields";
import { FieldGrid } from "@/components/FieldGrid";
import { ForRole } from "@/components/ForRole";
import { AssessmentSelect } from "@/components/judging/AssessmentSelect";
import { JudgeSelect } from "@/components/judging/JudgeSelect";
import { JudgingProgress } from "@/components/judging/JudgingProgress";
import { judgedColumns } from "@/components/judging/judgedColumns";
import { KeyFacts, NUGGETS } from "@/components/judging/KeyFacts";
import { StartAssessment } from "@/components/judging/StartAssessment";
import { modelOf } from "@/components/models/value";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { Quiet } from "@/components/Quiet";
import { StateBadge } from "@/components/StateBadge";
import { DataTable } from "@/components/table";
import { Warnings } from "@/components/Warnings";
import { t } from "@/words";

/** Questions of a dataset judged by a model, beside those of other datasets. */
export function Judged({ name }: { name: string }) {
  const query = useQuery(judgingQueries.ofDataset(name));
  const [isNew, setNew] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  if (!query.data) return <QueryState query={query} height={120} />;
  // Pools of passages measure retrievers, on the page of retrieval.
  const items = query.data.items.filter(({ assessment }) => !assessment.spec.pool);
  const shown = items.find(({ assessment }) => assessment.id === chosen) ?? items[0];
  const start = (id: string) => {
    setNew(false);
    setChosen(id);
  };
  return (
    <>
      <AssessmentSelect items={items} shown={shown} onChange={setChosen} />
      {shown && <Results key={shown.assessment.id} id={shown.assessment.id} />}
      <ForRole>
        {" "}
        {isNew ? (
          <NewAssessment name={name} onStarted={start} />
        ) : (
          <Button variant="default" onClick={() => setNew(true)} style={{ alignSelf: "flex-start" }}>
            {t("Judge questions")}
          </Button>
        )}
      </ForRole>
    </>
  );
}

/** Progress and means of one assessment, a row for each dataset and metric. */
function Results({ id }: { id: string }) {
  const query = useQuery(judgingQueries.detail(id));
  if (!query.data) return <QueryState query={query} height={120} />;
  const { job, table } = query.data;
  const title = t("Judged by {judge}", { judge: table.assessment.spec.judge.model.name });
  return (
    <Panel title={title} beside={job && <StateBadge state={job.state} />}>
      {job && <JudgingProgress job={job} cancel={t("Cancel assessment")} />}
      <Warnings warnings={table.warnings} />
      <DataTable
        name="judged-questions"
        at="judged"
        label={title}
        columns={judgedColumns(table, new Map(), t("Dataset"))}
        rows={table.cells}
        keyOf={({ run_id, column }) => `${run_id} ${column}`}
      />
      {job?.state === "finished" &&
        table.assessment.spec.columns.some((name) => name.startsWith(NUGGETS)) && (
          <>
            <KeyFacts id={id} />
            <Quiet>
              {t(
                "To judge answers by these facts, save them and choose the file in an assessment of a sweep.",
              )}
            </Quiet>
          </>
        )}
    </Panel>
  );
}

interface Props {
  name: string;
  onStarted: (id: string) => void;
}

/** The form of a new assessment of this dataset and others. */
function NewAssessment({ name, onStarted }: Props) {
  const [judge, setJudge] = useState<string | null>(null);
  const [columns, setColumns] = useState(["Answerability", "Faithfulness", "Answer relevancy"]);
  const [others, setOthers] = useState<string[]>([]);
  const [costs, setCosts] = useState(NO_COSTS);
  const metrics = useQuery(judgingQueries.metricsOfDatasets());
  const list = useQuery(datasetQueries.list());
  const datasets = [name, ...others];
  const request: Sending<AssessmentRequest> | undefined =
    judge && columns.length > 0
      ? { datasets, judge: modelOf(judge), columns, ...sentCosts(costs) }
      : undefined;
  return (
    <Panel title={t("New assessment")}>
      <Quiet>
        {t(
          "The judge reads each question with its gold passages and its reference answer. Questions without gold passages get no value where passages are needed.",
        )}
      </Quiet>
      <FieldGrid>
        <JudgeSelect
          value={judge}
          onChange={setJudge}
          description={t("Choose a model from a different family than the models that wrote the questions.")}
        />
        <MultiSelect
          label={t("Metrics")}
          data={metrics.data?.items.map((each) => each.name) ?? columns}
          value={columns}
          onChange={setColumns}
          searchable
        />
        <MultiSelect
          label={t("Compare with datasets")}
          data={(list.data?.items ?? []).map((each) => each.name).filter((each) => each !== name)}
          value={others}
          onChange={setOthers}
          searchable
        />
        <CostFields costs={costs} onChange={setCosts} />
      </FieldGrid>
      <StartAssessment request={request} onStarted={onStarted} />
    </Panel>
  );
}
