import type { MetricInfo } from "@/api/types";
import { t } from "@/words";
import { localised } from "@/words/count";
import { PARTS } from "@/words/parts";

/** Between which values a metric lies. */
export function rangeOf({ minimum, maximum }: Pick<MetricInfo, "minimum" | "maximum">): string {
  return t("{low} to {high}", {
    low: minimum == null ? t("unbounded") : localised(minimum),
    high: maximum == null ? t("unbounded") : localised(maximum),
  });
}

/** Which parts a metric needs. */
export function needsOf(needs: MetricInfo["needs"]): string {
  return needs.map((part) => PARTS[part] ?? part).join(", ") || t("no other component");
}
