import { Checkbox, NativeSelect, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { runQueries } from "@/api/runs";
import { systemQueries } from "@/api/system";
import type { EvaluationRow, Run } from "@/api/types";
import { bindText, bindTick } from "@/components/fields";
import { Hint } from "@/components/Hint";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { Quiet } from "@/components/Quiet";
import { ServerText } from "@/components/ServerText";
import { StateBadge } from "@/components/StateBadge";
import { type Column, countColumn, DataTable, scoreColumn, textColumn } from "@/components/table";
import { useView } from "@/components/table/useView";
import { useAddress } from "@/components/useAddress";
import { useArrival } from "@/components/useArrival";
import { t } from "@/words";
import classes from "./QuestionTable.module.css";

const route = getRouteApi("/runs/$id");
const LIMIT = 50;
const DEFAULT_METRIC = "F1 Score";

/** The run's questions with their answers, found, sorted and paged by the server; a row opens one. */
export function QuestionTable({ run }: { run: Run }) {
  const { metric = DEFAULT_METRIC, only } = route.useSearch();
  const view = useView("");
  const query = useQuery(
    runQueries.evaluations(run.id, {
      after: view.page * LIMIT - 1,
      limit: LIMIT,
      failed_only: only === "failed",
      find: view.find,
      order: view.sort?.id === METRIC ? metric : NUMBER,
      is_descending: view.sort?.desc ?? false,
    }),
  );
  useArrival(query.data !== undefined, "questions");
  return (
    <div id="questions">
      <Panel title={t("Questions")}>
        <QueryState query={query} height={160} />
        {query.data && (
          <DataTable
            name="run-questions"
            at=""
            label={t("Questions")}
            columns={questionColumns(metric)}
            rows={query.data.items}
            keyOf={({ evaluation }) => String(evaluation.number)}
            open={({ evaluation }) => ({
              to: "/runs/$id/questions/$number",
              params: { id: run.id, number: String(evaluation.number + 1) },
            })}
            paged={{ total: query.data.total, limit: LIMIT }}
            filters={<Filters run={run} metric={metric} />}
          />
        )}
      </Panel>
    </div>
  );
}

/** Which metric is shown, and whether only what failed. */
function Filters({ run, metric }: { run: Run; metric: string }) {
  const { only } = route.useSearch();
  const address = useAddress();
  const metrics = useQuery(systemQueries.metrics(run.config.profile));
  const names = new Set([metric, ...(metrics.data?.items.map(({ name }) => name) ?? [])]);
  const put: typeof address = (change) => address({ ...change, page: undefined });
  return (
    <>
      <NativeSelect
        label={t("Metric shown")}
        size="xs"
        data={[...names]}
        {...bindText(metric, (metric) => put({ metric }))}
      />
      {(run.counts.failed > 0 || only) && (
        <Checkbox
          size="xs"
          pb={8}
          label={t("Failed only ({count, number})", { count: run.counts.failed })}
          {...bindTick(only === "failed", (value) => put({ only: value ? "failed" : undefined }))}
        />
      )}
    </>
  );
}

/** The column of the metric that is shown. */
const METRIC = "metric";
const NUMBER = "number";

/** A question, its answer, how many passages it kept, and one metric. */
function questionColumns(metric: string): Column<EvaluationRow>[] {
  return [
    textColumn("question", t("Question"), ({ question }) => question.text),
    countColumn(NUMBER, t("No."), ({ evaluation }) => evaluation.number + 1, { sort: "server" }),
    textColumn("answer", t("Answer"), ({ answer, evaluation }) => answer ?? evaluation.reason ?? "", {
      cell: (row) => <Answer row={row} />,
    }),
    countColumn(
      "kept",
      t("Passages"),
      ({ evaluation }) => (evaluation.state === "pending" ? null : keptCount(evaluation.kept)),
      { reason: t("Not asked yet.") },
    ),
    scoreColumn(METRIC, metric, ({ evaluation }) => evaluation.scores?.[metric]?.value, {
      sort: "server",
      reason: ({ evaluation }) => evaluation.scores?.[metric]?.reason ?? t("This answer is not scored yet."),
    }),
  ];
}

function Answer({ row: { answer, evaluation } }: { row: EvaluationRow }) {
  return (
    <>
      {answer ? (
        <Text size="sm" lineClamp={2} title={answer}>
          {answer}
        </Text>
      ) : (
        <Quiet>{evaluation.reason ? <ServerText text={evaluation.reason} /> : t("No answer yet.")}</Quiet>
      )}
      <span className={classes.marks}>
        {evaluation.state !== "scored" && <StateBadge state={evaluation.state} />}
        {evaluation.reused && (
          <Hint text={t("Shared answer: generated for another evaluation with the same prompt.")}>
            {t("shared")}
          </Hint>
        )}
      </span>
    </>
  );
}

/** How many places lie in [first, last). */
function keptCount([first = 0, last = 0]: number[]): number {
  return last - first;
}
