import { useQuery } from "@tanstack/react-query";
import { systemQueries } from "@/api/system";
import type { MetricInfo } from "@/api/types";
import { formatDifference, formatScore } from "./format";

export const CPS = "CPS";

/** Smallest and largest possible value; null where the metric has no bounds. */
export type Range = readonly [number, number] | null;

/** CPS differences are counted in points of .01. */
const POINT = 0.01;

/** Whether differences of a metric are written in points: those of CPS are, on every page as in the verdict. */
export function isInPoints(metric: string): boolean {
  return metric === CPS;
}

/** A difference of a metric: of CPS in points, of any other metric in its own unit. */
export function formatGain(metric: string, digits = 2): (gain: number) => string {
  return isInPoints(metric)
    ? (gain) => formatDifference(gain / POINT, digits)
    : (gain) => formatDifference(gain, digits + 2);
}

/** A difference of a metric, short enough for a cell. */
export function formatShortGain(metric: string, range: Range): (gain: number) => string {
  return range ? formatGain(metric, 0) : (gain) => formatDifference(gain, 1);
}

/** A metric's value, short enough for a cell. */
export function formatValue(score: number, range: Range): string {
  return formatScore(score, range ? 2 : 1);
}

/** Range and direction of CPS, a column or a judged column, and the names of the profile's columns. */
export function useMetricScale(profile: MetricInfo["profile"], metric: string) {
  const columns = useQuery(systemQueries.metrics(profile)).data?.items;
  const own = columns?.find(({ name }) => name === metric);
  const isJudged = columns !== undefined && own === undefined && metric !== CPS;
  const judged = useQuery({ ...systemQueries.metrics("judged"), enabled: isJudged }).data?.items;
  const info = own ?? judged?.find(({ name }) => name === metric);
  const { minimum = 0, maximum = 1, higher_is_better: higherIsBetter = true } = info ?? {};
  const range: Range = minimum === null || maximum === null ? null : [minimum, maximum];
  return { range, higherIsBetter, names: columns?.map(({ name }) => name) ?? [] };
}
