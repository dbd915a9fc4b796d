import { t } from "@/words";
import { formatScore } from "./format";

/** The thresholds of a sweep in words, from the lowest to the highest; null without any. */
export function formatThresholds(values: readonly number[]): string | null {
  const [low] = values;
  const high = values.at(-1);
  if (low === undefined || high === undefined) return null;
  const start = formatScore(low, 2);
  return low === high
    ? t("threshold {start}", { start })
    : t("thresholds {start}–{stop}", { start, stop: formatScore(high, 2) });
}
