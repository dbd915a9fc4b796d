import { inProject } from "@/api/project";
import { t } from "@/words";

/** How an outcome came about, by the server's closed list. */
export const HOW = {
  agreed: t("Both orders agree"),
  inconsistent: t("Orders disagree: counts as a tie"),
  same_answer: t("Equal answers"),
  one_order: t("Asked in one order"),
  rule: t("By score"),
  given: t("Imported"),
  failed: t("No outcome"),
};

/** Address of a table of a tournament as a file. */
export const exportOf = (id: string, table: "ratings" | "games") => (format: string) =>
  inProject(`/api/v1/tournaments/${encodeURIComponent(id)}/export?table=${table}&format=${format}`);

/** Verdicts as letters: A is the answer that was shown first. */
export const LETTERS = { first: "A", second: "B", tie: "C", none: "–" };
