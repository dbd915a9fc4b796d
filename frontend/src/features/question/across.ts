import type { AnswerAcross, MetricInfo } from "@/api/types";

/** Which question of which sweep is shown. */
export interface AcrossProps {
  sweep: string;
  /** The run whose answer the page shows. */
  run: string;
  /** The question's place, from 0. */
  number: number;
  profile: MetricInfo["profile"];
}

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

/** Smallest and largest score of all configurations and repetitions, for one axis; null without a score. */
export function endsOf(items: readonly AnswerAcross[]): readonly [number, number] | null {
  const scores = items.flatMap(({ cell, repeats }) => [
    ...repeats,
    ...(cell.score == null ? [] : [cell.score]),
  ]);
  return scores.length > 0 ? [Math.min(...scores), Math.max(...scores)] : null;
}

/** Fewest ranks on the axis of a ranking. */
const FEWEST = 10;

/** The last rank on the axis that all rankings share: to the last one kept and the first gold passage of each. */
export function furthestRank(items: readonly AnswerAcross[]): number {
  return Math.max(FEWEST, ...items.flatMap(({ ranks }) => [ranks?.kept[1] ?? 0, ranks?.gold[0] ?? 0]));
}
