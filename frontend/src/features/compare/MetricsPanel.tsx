import { Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import clsx from "clsx";
import { Fragment } from "react";
import { api } from "@/api/client";
import type { RunComparison } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { formatCount, formatDifference, formatP, formatScore } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { Panel } from "@/components/Panel";
import { cell, Sheet } from "@/components/Sheet";
import { IntervalMark, sharedRange } from "@/figures/IntervalMark";
import { words } from "@/words";
import classes from "./compare.module.css";

const route = getRouteApi("/compare");
const label = words.compare;

type Metric = RunComparison["metrics"][number];
type Difference = Metric["differences"][number];

/** Means side by side, and the paired difference of each run from the baseline. */
export function MetricsPanel({ comparison }: { comparison: RunComparison }) {
  const { runs, baseline, metrics, panel, pool_rows, no_cps } = comparison;
  const others = runs.filter(({ id }) => id !== baseline);
  const [cps, ...rest] = panel ? metrics : [undefined, ...metrics];
  const comparisons = (metric: Metric | undefined) =>
    label.comparisons(formatCount(metric?.family_size ?? 0));
  return (
    <Panel title={label.metrics}>
      <Sheet label={label.metrics} pinned bounded>
        <thead>
          <tr>
            <th scope="col" rowSpan={2}>
              {label.metric}
            </th>
            {runs.map(({ id, name }) => (
              <th key={id} scope="col" rowSpan={2} className={cell.number}>
                <div className={classes.run}>
                  {name}
                  {id === baseline && (
                    <Text size="xs" c="var(--quiet)">
                      {words.sweep.baseline}
                    </Text>
                  )}
                </div>
              </th>
            ))}
            {others.map(({ id, name }) => (
              <th key={id} scope="colgroup" colSpan={5} className={cell.start}>
                {label.difference}: {name}
              </th>
            ))}
          </tr>
          <tr>
            {others.map(({ id }) => (
              <DifferenceHeads key={id} />
            ))}
          </tr>
        </thead>
        <tbody>
          {metrics.map((metric) => (
            <MetricLine key={metric.metric} metric={metric} profile={runs[0]?.config.profile ?? "standard"} />
          ))}
        </tbody>
      </Sheet>
      <Text size="sm" c="var(--quiet)">
        {panel
          ? label.basis({
              panel,
              rows: formatCount(pool_rows),
              cps: comparisons(cps),
              metrics: comparisons(rest[0]),
            })
          : label.noCps(no_cps ?? "")}
      </Text>
    </Panel>
  );
}

function DifferenceHeads() {
  return (
    <>
      <th scope="col" className={clsx(cell.number, cell.start)}>
        <abbr title={label.differenceTitle}>{label.difference}</abbr>
      </th>
      <th scope="col">{label.interval}</th>
      <th scope="col" className={cell.number}>
        <abbr title={label.pTitle}>{label.p}</abbr>
      </th>
      <th scope="col" className={cell.number}>
        <abbr title={label.dTitle}>{label.d}</abbr>
      </th>
      <th scope="col" className={cell.number}>
        <abbr title={label.pairsTitle}>{label.pairs}</abbr>
      </th>
    </>
  );
}

interface LineProps {
  metric: Metric;
  profile: RunComparison["runs"][number]["config"]["profile"];
}

function MetricLine({ metric: { metric, means, differences }, profile }: LineProps) {
  const { metric: shown } = route.useSearch();
  const infos = api.useQuery("get", "/api/v1/metrics", { params: { query: { profile } } });
  const isLower = infos.data?.items.find(({ name }) => name === metric)?.higher_is_better === false;
  return (
    <tr data-mark={(shown ?? "CPS") === metric || undefined}>
      <th scope="row">
        <AnchorLink
          to="."
          search={(search: object) => ({ ...search, metric, after: undefined })}
          hash="changed"
          size="sm"
          resetScroll={false}
        >
          {metric}
        </AnchorLink>
        {isLower && (
          <Text span size="xs" c="var(--quiet)" ml={6}>
            {label.lower}
          </Text>
        )}
      </th>
      {means.map(({ run_id, mean, n, n_missing }) => (
        <td key={run_id} className={cell.number}>
          <Num value={mean} reason="no_rows" format={formatScore} />
          <Text size="xs" c="var(--quiet)" title={label.missingOf(formatCount(n_missing))}>
            {label.meanOf(formatCount(n))}
          </Text>
        </td>
      ))}
      {differences.map((difference) => (
        <Fragment key={difference.run_id}>
          <DifferenceCells difference={difference} metric={metric} />
        </Fragment>
      ))}
    </tr>
  );
}

function DifferenceCells({ difference, metric }: { difference: Difference; metric: string }) {
  const { difference: value, ci, p_holm, cohens_d, stars, reason, n_pairs } = difference;
  const text = ci && words.numbers.range(formatDifference(ci.low), formatDifference(ci.high));
  return (
    <>
      <td className={clsx(cell.number, cell.start)}>
        <Num value={value} reason={reason} format={formatDifference} />
      </td>
      <td>
        {ci && value != null && text && (
          <>
            <IntervalMark
              value={value}
              interval={ci}
              range={sharedRange([ci])}
              label={`${metric}: ${text}`}
            />
            <Text size="xs" c="var(--quiet)" aria-hidden="true">
              {text}
            </Text>
          </>
        )}
      </td>
      <td className={cell.number}>
        <Num value={p_holm} reason={reason} format={formatP} />
        {stars.startsWith("*") && <span aria-hidden="true"> {stars}</span>}
      </td>
      <td className={cell.number}>
        <Num value={cohens_d} reason={reason} format={(d) => formatDifference(d, 2)} />
      </td>
      <td className={cell.number}>{formatCount(n_pairs)}</td>
    </>
  );
}
