import type { Question } from "@/api/types";
import type { Detail } from "./detail";

const SHORTEST_OVERLAP = 24;

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Whether the end of `first` is the beginning of `second`, over enough characters to be no accident. */
function meets(first: string, second: string): boolean {
  const longest = Math.min(first.length, second.length);
  for (let length = longest; length >= Math.min(SHORTEST_OVERLAP, longest); length--) {
    if (first.endsWith(second.slice(0, length))) return true;
  }
  return false;
}

/**
 * Whether a passage holds, at least in part, a quote that the dataset names as the source of the answer. A quote
 * without a document may be in any.
 */
export function holdsGold(
  passage: { document: string; text: string },
  gold: Question["gold_passages"],
): boolean {
  const text = plain(passage.text);
  return gold.some(({ document, quote }) => {
    const wanted = plain(quote);
    return (
      (document === "" || document === passage.document) &&
      (text.includes(wanted) || wanted.includes(text) || meets(text, wanted) || meets(wanted, text))
    );
  });
}

/** Gold passages among those looked up, and how many there are in the collection. */
export interface Gold {
  ids: ReadonlySet<string>;
  /** Null where the question names none. */
  total: number | null;
}

/** Which passages are gold: as the server matched them, or by their texts where an old record does not say. */
export function goldOf({
  question,
  gold_ids,
  passages,
}: Pick<Detail, "question" | "gold_ids" | "passages">): Gold {
  if (question.gold_passages.length === 0) return { ids: new Set(), total: null };
  if (gold_ids) return { ids: new Set(gold_ids), total: gold_ids.length };
  const found = passages.filter((passage) => holdsGold(passage, question.gold_passages));
  return { ids: new Set(found.map(({ id }) => id)), total: found.length };
}
