import type { RunConfig } from "@/api/types";
import { formatCount, formatScore } from "@/components/numbers/format";
import { words } from "@/words";

/** Where a policy cuts the ranking, in words. */
export function cutOf(policy: RunConfig["retrieval"]): string {
  const label = words.evaluation;
  switch (policy.mode) {
    case "score":
      return label.cutScore(formatScore(policy.min_similarity, 2), formatCount(policy.max_k));
    case "published-score":
      return label.cutPublished(formatScore(policy.min_distance, 2));
    case "normal":
      return label.cutNormal(formatCount(policy.k));
    case "none":
      return label.cutClosedBook;
  }
}
