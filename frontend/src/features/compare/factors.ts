import type { RunComparison } from "@/api/types";
import { t } from "@/words";
import { FACTORS } from "@/words/factors";
import { nameOfField } from "@/words/fields";

/** A factor in a researcher's words; what the scores depend on is named as the record names it. */
export function nameOf(factor: string): string {
  return nameOfField(factor, FACTORS);
}

/** What sets the runs apart: one thing, several, or none. */
export function verdictOf(factors: RunComparison["factors"]): { isControlled: boolean; sentence: string } {
  const names = factors.map(({ factor }) => nameOf(factor));
  const [first, ...others] = names;
  if (first === undefined)
    return {
      isControlled: true,
      sentence: t("No differences: these runs have the same configuration and differ only by chance."),
    };
  if (others.length === 0)
    return { isControlled: true, sentence: t("Controlled: only {what} differs.", { what: first }) };
  const last = names.at(-1) ?? "";
  const listed = `${names.slice(0, -1).join(", ")}${t(" and ")}${last}`;
  return {
    isControlled: false,
    sentence: t("Confounded: {what} differ, so the difference cannot be attributed to one of them.", {
      what: listed,
    }),
  };
}
