import { Text } from "@mantine/core";
import type { MetricInfo, RunComparison } from "@/api/types";
import { MetricName } from "@/components/MetricName";
import { formatScore } from "@/components/numbers/format";
import { formatGain, isInPoints } from "@/components/numbers/metricFormat";
import { Num } from "@/components/numbers/Num";
import { IntervalMark, sharedRange } from "@/figures/IntervalMark";
import { t } from "@/words";
import { reasonOf } from "@/words/reasons";
import classes from "./compare.module.css";
import { isDecided, type Metric } from "./metricColumns";

type Difference = Metric["differences"][number];

interface Props {
  comparison: RunComparison;
  /** The metrics that are shown. */
  metrics: Metric[];
  infos: readonly MetricInfo[];
  /** The metric whose questions are listed below. */
  chosen: string;
}

/** A card for each metric: a bar for each run, and how many questions are improved, worse and the same. */
export function MetricCards({ comparison: { runs, baseline }, metrics, infos, chosen }: Props) {
  const known = new Map(infos.map((info) => [info.name, info]));
  const names = new Map(runs.map(({ id, name }) => [id, name]));
  return (
    <div className={classes.cards}>
      {metrics.map((metric) => (
        <Card
          key={metric.metric}
          metric={metric}
          info={known.get(metric.metric)}
          names={names}
          baseline={baseline}
          isChosen={metric.metric === chosen}
        />
      ))}
    </div>
  );
}

interface CardProps {
  metric: Metric;
  info: MetricInfo | undefined;
  names: ReadonlyMap<string, string>;
  baseline: string;
  isChosen: boolean;
}

function Card({ metric, info, names, baseline, isChosen }: CardProps) {
  const { metric: name, means, differences } = metric;
  const share = barScale(
    info,
    means.map(({ mean }) => mean),
  );
  const range = sharedRange(differences.map(({ ci }) => ci));
  return (
    <section className={classes.card} aria-label={name} data-chosen={isChosen || undefined}>
      <div className={classes.title}>
        {info ? (
          <MetricName name={name} profile={info.profile} higherIsBetter={info.higher_is_better} />
        ) : (
          name
        )}
      </div>
      {means.map(({ run_id, mean }) => {
        const found = differences.find((each) => each.run_id === run_id);
        return (
          <div key={run_id} className={classes.arm} data-base={run_id === baseline || undefined}>
            <span className={classes.armName}>{names.get(run_id)}</span>
            <span className={classes.track} aria-hidden="true">
              <i className={classes.fill} style={{ width: `${100 * share(mean)}%` }} />
            </span>
            <span className={classes.value}>
              <Num value={mean} reason="no_rows" format={formatScore} />
            </span>
            {found && <Found found={found} range={range} metric={name} />}
          </div>
        );
      })}
    </section>
  );
}

interface FoundProps {
  found: Difference;
  range: { low: number; high: number };
  metric: string;
}

/** The paired difference with its interval, and the questions behind it. */
function Found({
  found: { difference, ci, n_pairs, n_improved, n_worse, reason, stars },
  range,
  metric,
}: FoundProps) {
  const format = formatGain(metric);
  const values =
    ci && difference != null
      ? {
          difference: format(difference),
          low: format(ci.low),
          high: format(ci.high),
        }
      : null;
  const text =
    values &&
    (isInPoints(metric)
      ? t("{difference} points ({low} to {high})", values)
      : t("{difference} ({low} to {high})", values));
  return (
    <div className={classes.found}>
      {ci && difference != null && (
        <IntervalMark
          value={difference}
          interval={ci}
          range={range}
          label={`${metric}: ${text}`}
          isDecided={isDecided({ stars })}
        />
      )}
      <span>{text ?? reasonOf(reason)}</span>
      <Text span inherit w="100%">
        {t("{improved, number} improved, {worse, number} worse, {same, number} the same", {
          improved: n_improved,
          worse: n_worse,
          same: n_pairs - n_improved - n_worse,
        })}
      </Text>
    </div>
  );
}

/**
 * The share of the track that a mean fills: of the metric's own range, else of the largest mean of the card. A scale
 * without length, such as that of means that are all 0, fills nothing.
 */
export function barScale(
  info: Pick<MetricInfo, "minimum" | "maximum"> | undefined,
  means: readonly (number | null)[],
): (mean: number | null) => number {
  const known = means.filter((mean) => mean !== null);
  // CPS has no description of its own; it lies between 0 and 1.
  const low = info === undefined ? 0 : (info.minimum ?? Math.min(0, ...known));
  const high = info === undefined ? 1 : (info.maximum ?? Math.max(low, ...known));
  return (mean) => (mean === null || high <= low ? 0 : Math.min(1, Math.max(0, (mean - low) / (high - low))));
}
