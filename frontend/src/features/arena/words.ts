import { inProject } from "@/api/project";
import type { Game } from "@/api/types";
import { t } from "@/words";
import type { Counted } from "./counted";

/** How an outcome came about, by the server's closed list. */
const HOW = {
  agreed: t("Both orders agree"),
  inconsistent: t("Orders disagree: counts as a tie"),
  same_answer: t("Equal answers"),
  one_order: t("Asked in one order"),
  rule: t("By score"),
  given: t("Imported"),
  failed: t("No outcome"),
};

const HOW_PEOPLE: Partial<typeof HOW> = {
  agreed: t("Raters agree"),
  inconsistent: t("Raters disagree: counts as a tie"),
  given: t("One rater"),
};

/** How a game was decided, in words; two raters of people stand for the two orders of a judge. */
export const howOf = ({ how, source }: Pick<Game, "how" | "source">): string =>
  (source === "person" && HOW_PEOPLE[how]) || HOW[how];

/** Address of a table of a tournament as a file. */
export const exportOf =
  (id: string, table: "ratings" | "games", { against: _, without, ...counted }: Counted = { without: [] }) =>
  (format: string) => {
    const query = new URLSearchParams({ table, format });
    for (const [name, value] of Object.entries(counted)) query.append(name, String(value));
    for (const system of without) query.append("without", system);
    return inProject(`/api/v1/tournaments/${encodeURIComponent(id)}/export?${query}`);
  };

/** Verdicts as letters: A is the answer that was shown first. */
export const LETTERS = { first: "A", second: "B", tie: "C", none: "–" };
