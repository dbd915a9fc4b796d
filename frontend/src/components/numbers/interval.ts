import { t } from "@/words";
import { formatScore } from "./format";

interface Interval {
  low: number | null;
  high: number | null;
}

/** Both ends of an interval of scores; null without one. */
export function formatInterval(interval: Interval | null | undefined): string | null {
  return interval?.low == null || interval.high == null
    ? null
    : t("{low} to {high}", { low: formatScore(interval.low), high: formatScore(interval.high) });
}
