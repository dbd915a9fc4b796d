import { expect, test } from "vitest";
import type { AnswerAcross } from "@/api/types";
import { baselineOf, endsOf, furthestRank, sameAnswers } from "./across";

const item = (run_id: string, answer: string | null, baseline: number | null = 0) =>
  ({ column: { run_id, baseline }, answer }) as unknown as AnswerAcross;
const ITEMS = [
  item("base", "Soil.", null),
  item("a", "Soil.\n"),
  item("b", "Sand."),
  item("c", null),
  item("d", null),
];

test("equal answers are one group in the order of the first, and failures stay apart", () => {
  const groups = sameAnswers(ITEMS).map(({ items }) => items.map(({ column }) => column.run_id));
  expect(groups).toEqual([["base", "a"], ["b"], ["c"], ["d"]]);
});

test("answers are compared with the baseline of the run's own model", () => {
  const second = [...ITEMS, item("other base", "Clay.", null), item("e", "Loam.", 5)];
  expect(baselineOf(second, "e")?.answer).toBe("Clay.");
  expect(baselineOf(second, "b")?.column.run_id).toBe("base");
  expect(baselineOf(second, "base")?.column.run_id).toBe("base");
});

test("repetitions of all configurations share one axis", () => {
  const scored = (score: number | null, repeats: number[]) =>
    ({ cell: { score }, repeats }) as unknown as AnswerAcross;
  expect(endsOf([scored(0.5, [0.2, 0.8]), scored(0.9, []), scored(null, [])])).toEqual([0.2, 0.9]);
  expect(endsOf([scored(null, [])])).toBeNull();
});

test("the axis of ranks reaches the last passage kept and the first gold passage, not the end of the ranking", () => {
  const cut = (last: number, gold: number[]) =>
    ({ ranks: { retrieved: 100, kept: [0, last], gold } }) as unknown as AnswerAcross;
  expect(furthestRank([cut(3, [2, 80])])).toBe(10);
  expect(furthestRank([cut(3, [17, 80]), cut(12, [])])).toBe(17);
  expect(furthestRank([cut(29, [17]), item("outside", "Soil.")])).toBe(29);
});
