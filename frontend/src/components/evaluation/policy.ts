import type { RunConfig } from "@/api/types";
import { formatScore, formatShare } from "@/components/numbers/format";
import { t } from "@/words";

/** A threshold with 2 decimals, or with all 4 where it has more. */
function formatThreshold(value: number): string {
  return formatScore(value, Number(value.toFixed(2)) === value ? 2 : 4);
}

/** Where a policy cuts the ranking, in words. */
export function cutOf(policy: RunConfig["retrieval"]): string {
  switch (policy.mode) {
    case "score":
      return t("Similarity ≥ {threshold}, at most {maxK, plural, one {# passage} other {# passages}}", {
        threshold: formatThreshold(policy.min_similarity),
        maxK: policy.max_k,
      });
    case "published-score":
      return t("Published Score mode, distance ≥ {distance}", {
        distance: formatScore(policy.min_distance, 2),
      });
    case "normal":
      return t("Top-k, k = {k, number}", { k: policy.k });
    case "relative":
      return t(
        "Similarity ≥ {share} of the best, at most {maxK, plural, one {# passage} other {# passages}}",
        { share: formatShare(policy.share), maxK: policy.max_k },
      );
    case "gap":
      return t("Largest gap among the first {among, number}", { among: policy.among });
    case "none":
      return t("No retrieval");
  }
}

/** Decimals that `cutOf` shows at most of the numbers of a policy. */
const SHOWN: Partial<Record<RunConfig["retrieval"]["mode"], number>> = { normal: 0, score: 4, none: 0 };

/**
 * The retrieval setting of a published file in words; as it is written where they would leave something out, because the
 * reader checks with it what the publisher says.
 */
export function retrievalOf(written: string): string {
  const policy = JSON.parse(written) as RunConfig["retrieval"];
  const decimals = SHOWN[policy.mode];
  const isExact =
    decimals !== undefined &&
    Object.values(policy).every(
      (value) => typeof value !== "number" || Number(value.toFixed(decimals)) === value,
    );
  return isExact ? cutOf(policy) : written;
}
