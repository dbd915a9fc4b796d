import type { AnswerAcross } from "@/api/types";

/** Configurations with the same answer, together in the order of the first. */
export interface SameAnswer {
  answer: string | null;
  items: AnswerAcross[];
}

/** Equal answers are shown once; white space at the ends makes no difference, a missing answer is its own. */
export function sameAnswers(items: readonly AnswerAcross[]): SameAnswer[] {
  const groups = new Map<string, SameAnswer>();
  for (const item of items) {
    // Failures may have different reasons, and are not grouped with an empty answer.
    const key = item.answer === null ? `none ${item.column.run_id}` : `text ${item.answer.trim()}`;
    const group = groups.get(key);
    if (group) group.items.push(item);
    else groups.set(key, { answer: item.answer, items: [item] });
  }
  return [...groups.values()];
}

/** The answer that others are compared with: that of the baseline of the run's model. */
export function baselineOf(items: readonly AnswerAcross[], run: string): AnswerAcross | undefined {
  const own = items.find(({ column }) => column.run_id === run);
  const base = own?.column.baseline;
  return base == null ? own : items[base];
}
