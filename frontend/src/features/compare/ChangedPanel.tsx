import { Button, Group, NativeSelect, SegmentedControl, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { api } from "@/api/client";
import type { ChangedQuestion, RunComparison } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { formatCount, formatDifference, formatScore } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { cell, Sheet } from "@/components/Sheet";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";

const route = getRouteApi("/compare");
const label = words.compare;
const LIMIT = 25;
const ORDERS = ["change", "rise", "fall"] as const;

/** The questions behind a difference, most changed first, page by page. */
export function ChangedPanel({ comparison }: { comparison: RunComparison }) {
  const { runs, baseline, metrics } = comparison;
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/compare" });
  const others = runs.filter(({ id }) => id !== baseline);
  const of = others.find(({ id }) => id === search.of) ?? others[0];
  const base = runs.find(({ id }) => id === baseline);
  const metric = metrics.find(({ metric: name }) => name === search.metric) ?? metrics[0];
  const order = search.order ?? "change";
  const after = search.after ?? 0;
  const query = api.useQuery(
    "get",
    "/api/v1/comparisons/questions",
    {
      params: {
        query: {
          run: runs.map(({ id }) => id),
          of: of?.id ?? "",
          baseline,
          metric: metric?.metric ?? "",
          order,
          after,
          limit: LIMIT,
        },
      },
    },
    { placeholderData: keepPreviousData, staleTime: 30_000 },
  );
  const put = (change: { metric?: string; of?: string; order?: string; after?: number | undefined }) =>
    navigate({
      search: (before) => ({ ...before, after: undefined, ...change }) as never,
      replace: true,
      resetScroll: false,
    });
  if (!of || !base || !metric) return null;
  const items = query.data?.items ?? [];
  return (
    <div id="changed">
      <Panel
        title={label.changed}
        beside={
          <SegmentedControl
            size="xs"
            aria-label={label.order}
            value={order}
            onChange={(value) => put({ order: value })}
            data={ORDERS.map((value) => ({ value, label: label.orders[value] }))}
          />
        }
      >
        <Group align="flex-end" gap="md">
          <NativeSelect
            size="xs"
            label={label.changedMetric}
            data={metrics.map(({ metric: name }) => name)}
            value={metric.metric}
            onChange={(event) => put({ metric: event.currentTarget.value })}
          />
          {others.length > 1 && (
            <NativeSelect
              size="xs"
              label={label.changedRun}
              data={others.map(({ id, name }) => ({ value: id, label: name }))}
              value={of.id}
              onChange={(event) => put({ of: event.currentTarget.value })}
            />
          )}
          <Text size="sm" c="var(--quiet)">
            {label.changedLead(of.name, base.name)}
          </Text>
        </Group>
        {query.isPending && <Waiting height={240} />}
        {query.isError && <ProblemNotice error={query.error} onRetry={() => query.refetch()} />}
        {items.length > 0 && (
          <Sheet label={label.changed} bounded>
            <thead>
              <tr>
                <th scope="col" className={cell.number}>
                  {label.number}
                </th>
                <th scope="col">{label.question}</th>
                <th scope="col" className={cell.number}>
                  {label.before}
                </th>
                <th scope="col" className={cell.number}>
                  {label.here}
                </th>
                <th scope="col" className={cell.number}>
                  {label.difference}
                </th>
                <th scope="col">{label.answers}</th>
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <ChangedRow key={item.number} item={item} run={of.id} baseline={base.id} />
              ))}
            </tbody>
          </Sheet>
        )}
        {query.data && query.data.total > LIMIT && (
          <Group justify="space-between">
            <Text size="sm" c="var(--quiet)">
              {words.tables.range(
                formatCount(after + 1),
                formatCount(after + items.length),
                formatCount(query.data.total),
              )}
            </Text>
            <Group gap="xs">
              <Button
                variant="default"
                size="xs"
                disabled={after === 0}
                onClick={() => put({ after: Math.max(0, after - LIMIT) || undefined })}
              >
                {words.tables.previous}
              </Button>
              <Button
                variant="default"
                size="xs"
                disabled={query.data.next == null}
                onClick={() => put({ after: query.data.next ?? undefined })}
              >
                {words.tables.next}
              </Button>
            </Group>
          </Group>
        )}
      </Panel>
    </div>
  );
}

interface RowProps {
  item: ChangedQuestion;
  run: string;
  baseline: string;
}

function ChangedRow({ item, run, baseline }: RowProps) {
  const navigate = useNavigate();
  const { number, question, difference, here, before } = item;
  const open = (id: string) =>
    ({ to: "/runs/$id/questions/$number", params: { id, number: String(number + 1) } }) as const;
  return (
    <tr className={cell.row} onClick={() => navigate(open(run))}>
      <td className={cell.number}>{formatCount(number + 1)}</td>
      <th scope="row" className={cell.text}>
        <AnchorLink {...open(run)} size="sm" onClick={(event) => event.stopPropagation()}>
          {question}
        </AnchorLink>
      </th>
      <td className={cell.number}>
        <AnchorLink
          {...open(baseline)}
          size="sm"
          title={label.openBaseline}
          onClick={(event) => event.stopPropagation()}
        >
          {formatScore(before.value)}
        </AnchorLink>
        <Text size="xs" c="var(--quiet)">
          {label.kept(formatCount(before.n_kept))}
        </Text>
      </td>
      <td className={cell.number}>
        {formatScore(here.value)}
        <Text size="xs" c="var(--quiet)">
          {label.kept(formatCount(here.n_kept))}
        </Text>
      </td>
      <td className={cell.number}>{formatDifference(difference)}</td>
      <td className={cell.text}>
        {here.answer === before.answer ? (
          <Text size="sm" c="var(--quiet)">
            {here.answer ? label.sameAnswer : label.noAnswer}
          </Text>
        ) : (
          <>
            <Said name={label.before} text={before.answer} />
            <Said name={label.here} text={here.answer} />
          </>
        )}
      </td>
    </tr>
  );
}

function Said({ name, text }: { name: string; text: string | null }) {
  return (
    <Text size="sm" lineClamp={2} title={text ?? undefined}>
      <Text span size="xs" c="var(--quiet)">
        {name}:{" "}
      </Text>
      {text ?? label.noAnswer}
    </Text>
  );
}
