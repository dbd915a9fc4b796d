import { useQuery } from "@tanstack/react-query";
import { systemQueries } from "@/api/system";
import type { MetricInfo } from "@/api/types";
import { formatDifference, formatScore } from "./format";

export const CPS = "CPS";

/** Smallest and largest possible value; null where the metric has no bounds. */
export type Range = readonly [number, number] | null;

/** Scores between 0 and 1 are counted in points of .01. */
const POINT = 0.01;

/** A gain: in points for a metric with bounds, else in the metric's own unit. */
export function formatGain(gain: number, range: Range, digits = 0): string {
  return range ? formatDifference(gain / POINT, digits) : formatDifference(gain, 1);
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
