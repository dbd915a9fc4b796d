import type { MetricInfo } from "@/api/types";
import { words } from "@/words";

const label = words.metrics;

/** A bound as it is written: whole numbers whole. */
function bound(value: number): string {
  return String(value).replace("-", "−");
}

/** Between which values a metric lies. */
export function rangeOf({ minimum, maximum }: Pick<MetricInfo, "minimum" | "maximum">): string {
  return label.interval(
    minimum == null ? label.unbounded : bound(minimum),
    maximum == null ? label.unbounded : bound(maximum),
  );
}

/** Which parts a metric needs. */
export function needsOf(needs: MetricInfo["needs"]): string {
  return needs.map((part) => words.shell.partNames[part] ?? part).join(", ") || label.needsNothing;
}
