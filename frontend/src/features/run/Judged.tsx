import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { judgingQueries } from "@/api/judging";
import type { JudgedQuestion, Run } from "@/api/types";
import { judgedColumns } from "@/components/judging/judgedColumns";
import { FAILURE, WhyLow } from "@/components/judging/WhyLow";
import { Panel } from "@/components/Panel";
import { type Column, DataTable, scoreColumn, textColumn } from "@/components/table";
import { t } from "@/words";
import { reasonOf } from "@/words/reasons";

/** The columns of judges beside the 24: one panel for each assessment that judges the run. */
export function Judged({ run }: { run: Run }) {
  const { data } = useQuery(judgingQueries.list(run.sweep_id));
  const judging = data?.items.filter(({ assessment }) => assessment.spec.runs.includes(run.id)) ?? [];
  return judging.map(({ assessment: { id } }, place) => (
    <Assessed key={id} id={id} run={run} place={place + 1} />
  ));
}

function Assessed({ id, run, place }: { id: string; run: Run; place: number }) {
  const { data } = useQuery(judgingQueries.detail(id));
  const questions = useQuery(judgingQueries.run(id, run.id));
  if (!data) return null;
  const { table } = data;
  const { name } = table.assessment.spec.judge.model;
  // One judge may have several assessments: names of regions differ.
  const title = t("Judged by {judge}", { judge: place === 1 ? name : `${name} (${place})` });
  return (
    <Panel title={title}>
      <DataTable
        name="judged"
        label={title}
        columns={judgedColumns(table)}
        rows={table.cells.filter(({ run_id }) => run_id === run.id)}
        keyOf={({ column }) => column}
        isShort
      />
      {table.assessment.spec.columns.includes(FAILURE) && <WhyLow id={id} run={run.id} />}
      {questions.data && (
        <Stack component="details" gap="xs">
          <Text component="summary" size="sm">
            {t("Values of each question")}
          </Text>
          <DataTable
            name="judged-questions"
            label={t("Judged questions")}
            columns={questionColumns(table.assessment.spec.columns)}
            rows={questions.data.questions}
            keyOf={({ number }) => String(number)}
            open={({ number }) => ({
              to: "/runs/$id/questions/$number",
              params: { id: run.id, number: String(number + 1) },
            })}
          />
        </Stack>
      )}
    </Panel>
  );
}

function questionColumns(columns: readonly string[]): Column<JudgedQuestion>[] {
  return [
    textColumn("question", t("Question"), ({ question_id }) => question_id),
    ...columns.map(
      (column): Column<JudgedQuestion> =>
        scoreColumn(column, column, ({ scores }) => scores[column]?.value, {
          reason: ({ scores }) => reasonOf(scores[column]?.reason),
        }),
    ),
  ];
}
