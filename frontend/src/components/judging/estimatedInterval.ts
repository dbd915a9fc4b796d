import { formatInterval } from "@/components/numbers/format";
import { t } from "@/words";

/** Both ends of a bootstrap interval, or that there is none: equal resamples, as in perfect agreement, show no error. */
export function estimatedInterval(...of: Parameters<typeof formatInterval>): string {
  return formatInterval(...of) ?? t("cannot be estimated");
}
