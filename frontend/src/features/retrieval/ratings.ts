import type { RetrievalReport } from "@/api/types";
import { t } from "@/words";

type Rating = NonNullable<RetrievalReport["rankings"][number]["figures"][number]["rating"]>;

/** What a rating is called. */
export const RATINGS: Record<Rating, string> = {
  excellent: t("excellent"),
  good: t("good"),
  acceptable: t("acceptable"),
  poor: t("poor"),
};
