import { Checkbox, Group, NativeSelect, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { api } from "@/api/client";
import type { EvaluationRow, Run } from "@/api/types";
import { AnchorLink, ButtonLink } from "@/components/links";
import { formatCount, formatScore } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { cell, Sheet } from "@/components/Sheet";
import { StateBadge } from "@/components/StateBadge";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import classes from "./QuestionTable.module.css";

const route = getRouteApi("/runs/$id");
const LIMIT = 50;
const DEFAULT_METRIC = "F1 Score";
const label = words.run;

/** The run's questions with their answers, page by page; a row opens one. */
export function QuestionTable({ run }: { run: Run }) {
  const { after = -1, metric = DEFAULT_METRIC, only } = route.useSearch();
  const navigate = useNavigate({ from: "/runs/$id" });
  const query = api.useQuery(
    "get",
    "/api/v1/runs/{run_id}/evaluations",
    { params: { path: { run_id: run.id }, query: { after, limit: LIMIT, failed_only: only === "failed" } } },
    { placeholderData: keepPreviousData },
  );
  const metrics = api.useQuery("get", "/api/v1/metrics", {
    params: { query: { profile: run.config.profile } },
  });
  const put = (change: { metric?: string; only?: "failed" | undefined; after?: undefined }) =>
    navigate({ search: (search) => ({ ...search, ...change }), replace: true, resetScroll: false });
  const names = new Set([metric, ...(metrics.data?.items.map(({ name }) => name) ?? [])]);
  const items = query.data?.items ?? [];
  return (
    <Panel
      title={label.questions}
      beside={
        <Group gap="md" id="questions">
          {(run.counts.failed > 0 || only) && (
            <Checkbox
              size="xs"
              label={label.onlyFailed(formatCount(run.counts.failed))}
              checked={only === "failed"}
              onChange={(event) =>
                put({ only: event.currentTarget.checked ? "failed" : undefined, after: undefined })
              }
            />
          )}
          <NativeSelect
            aria-label={label.shown}
            size="xs"
            data={[...names]}
            value={metric}
            onChange={(event) => put({ metric: event.currentTarget.value })}
          />
        </Group>
      }
    >
      {query.isSuccess && items.length === 0 && <Text c="var(--quiet)">{label.noneFailed}</Text>}
      {query.isPending && <Waiting height={160} />}
      {query.isError && <ProblemNotice error={query.error} onRetry={() => query.refetch()} />}
      {items.length > 0 && (
        <Sheet label={label.questions}>
          <thead>
            <tr>
              <th scope="col" className={cell.number}>
                {label.number}
              </th>
              <th scope="col">{label.question}</th>
              <th scope="col">{label.answer}</th>
              <th scope="col" className={cell.number}>
                {label.kept}
              </th>
              <th scope="col" className={cell.number}>
                {metric}
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((row) => (
              <QuestionRow key={row.evaluation.number} row={row} metric={metric} />
            ))}
          </tbody>
        </Sheet>
      )}
      <Pages run={run} first={after + 1} shown={only ? null : items.length} next={query.data?.next ?? null} />
    </Panel>
  );
}

function QuestionRow({ row, metric }: { row: EvaluationRow; metric: string }) {
  const { id } = route.useParams();
  const navigate = useNavigate();
  const { evaluation, question, answer } = row;
  const open = {
    to: "/runs/$id/questions/$number",
    params: { id, number: String(evaluation.number + 1) },
  } as const;
  const score = evaluation.scores?.[metric];
  const reached = evaluation.state !== "pending";
  return (
    <tr className={cell.row} onClick={() => navigate(open)}>
      <td className={cell.number}>{evaluation.number + 1}</td>
      <th scope="row" className={cell.text}>
        <AnchorLink {...open} onClick={(event) => event.stopPropagation()} size="sm">
          {question.text}
        </AnchorLink>
      </th>
      <td className={cell.text}>
        {answer ? (
          <Text size="sm" lineClamp={2} title={answer}>
            {answer}
          </Text>
        ) : (
          <Text size="sm" c="var(--quiet)">
            {evaluation.reason ?? label.noAnswer}
          </Text>
        )}
        <span className={classes.marks}>
          {evaluation.state !== "scored" && <StateBadge state={evaluation.state} />}
          {evaluation.reused && <span title={label.reusedHint}>{label.reusedMark}</span>}
        </span>
      </td>
      <td className={cell.number}>
        <Num
          value={reached ? keptCount(evaluation.kept) : null}
          reason={label.notReached}
          format={formatCount}
        />
      </td>
      <td className={cell.number}>
        <Num value={score?.value} reason={score?.reason ?? label.notScored} format={formatScore} />
      </td>
    </tr>
  );
}

/** How many places lie in [first, last). */
function keptCount([first = 0, last = 0]: number[]): number {
  return last - first;
}

interface PagesProps {
  run: Run;
  first: number;
  /** How many questions follow; null where some are left out between them. */
  shown: number | null;
  next: number | null;
}

function Pages({ run, first, shown, next }: PagesProps) {
  if (first === 0 && next === null) return null;
  const previous = first - LIMIT - 1;
  return (
    <Group justify="space-between">
      <Text size="sm" c="var(--quiet)">
        {shown !== null &&
          label.range(formatCount(first + 1), formatCount(first + shown), formatCount(run.counts.questions))}
      </Text>
      <Group gap="xs">
        {first > 0 && (
          <ButtonLink
            to="/runs/$id"
            params={{ id: run.id }}
            search={({ after: _, ...search }) =>
              shown !== null && previous >= 0 ? { ...search, after: previous } : search
            }
            resetScroll={false}
            variant="default"
            size="xs"
          >
            {shown === null ? label.first : label.previous}
          </ButtonLink>
        )}
        {next !== null && (
          <ButtonLink
            to="/runs/$id"
            params={{ id: run.id }}
            search={(search) => ({ ...search, after: next })}
            resetScroll={false}
            variant="default"
            size="xs"
          >
            {label.next}
          </ButtonLink>
        )}
      </Group>
    </Group>
  );
}
