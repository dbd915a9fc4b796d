import type { MetricInfo } from "@/api/types";
import { t } from "@/words";
import { PARTS } from "@/words/parts";

/** A bound as it is written: whole numbers whole. */
function bound(value: number): string {
  return String(value).replace("-", "−");
}

/** Between which values a metric lies. */
export function rangeOf({ minimum, maximum }: Pick<MetricInfo, "minimum" | "maximum">): string {
  return t("{low} to {high}", {
    low: minimum == null ? t("unbounded") : bound(minimum),
    high: maximum == null ? t("unbounded") : bound(maximum),
  });
}

/** Which parts a metric needs. */
export function needsOf(needs: MetricInfo["needs"]): string {
  return needs.map((part) => PARTS[part] ?? part).join(", ") || t("no other component");
}
