import type { RunComparison } from "@/api/types";
import { words } from "@/words";
import { nameOfField } from "@/words/fields";

/** A factor in a researcher's words; what the scores depend on is named as the record names it. */
export function nameOf(factor: string): string {
  return nameOfField(factor, words.compare.factors);
}

/** What sets the runs apart: one thing, several, or none. */
export function verdictOf(factors: RunComparison["factors"]): { isControlled: boolean; sentence: string } {
  const names = factors.map(({ factor }) => nameOf(factor));
  const [first, ...others] = names;
  if (first === undefined) return { isControlled: true, sentence: words.compare.same };
  if (others.length === 0) return { isControlled: true, sentence: words.compare.controlled(first) };
  const last = names.at(-1) ?? "";
  const listed = `${names.slice(0, -1).join(", ")}${words.compare.and}${last}`;
  return { isControlled: false, sentence: words.compare.confounded(listed) };
}
