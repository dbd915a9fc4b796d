import type { RunConfig } from "@/api/types";
import { formatCount, formatScore } from "@/components/numbers/format";
import { words } from "@/words";

/** A threshold with 2 decimals, or with all 4 where it has more. */
function formatThreshold(value: number): string {
  return formatScore(value, Number(value.toFixed(2)) === value ? 2 : 4);
}

/** Where a policy cuts the ranking, in words. */
export function cutOf(policy: RunConfig["retrieval"]): string {
  const label = words.evaluation;
  switch (policy.mode) {
    case "score":
      return label.cutScore(formatThreshold(policy.min_similarity), formatCount(policy.max_k));
    case "published-score":
      return label.cutPublished(formatScore(policy.min_distance, 2));
    case "normal":
      return label.cutNormal(formatCount(policy.k));
    case "none":
      return label.cutClosedBook;
  }
}
