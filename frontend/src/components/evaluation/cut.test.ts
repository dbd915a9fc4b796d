import { expect, test } from "vitest";
import { bounded, cutAfter, cutLineOf, keptBy, lowered, withCut } from "./cut";

const SIMILARITIES = [0.71, 0.6, 0.5987, 0.5981, 0.3];

test.each([
  [0.72, 0],
  [0.71, 1],
  [0.6, 2],
  [0.5, 4],
  [-1, 5],
])("a threshold of %d keeps %d: what is on it is kept", (at, kept) => {
  expect(keptBy({ by: "similarity", at }, SIMILARITIES, 100)).toBe(kept);
});

test("never more than maxK are kept", () => {
  expect(keptBy({ by: "similarity", at: 0 }, SIMILARITIES, 3)).toBe(3);
});

test("a count keeps so many, or all that there are", () => {
  expect(keptBy({ by: "count", at: 2 }, SIMILARITIES, 100)).toBe(2);
  expect(keptBy({ by: "count", at: 9 }, SIMILARITIES, 100)).toBe(5);
});

test.each([
  [0, 0.72],
  [1, 0.71],
  [2, 0.6],
  [3, 0.5987],
  [4, 0.59],
  [5, 0.3],
])("the line behind %d passages stands at %d, and keeps them", (count, at) => {
  const cut = cutAfter("similarity", count, SIMILARITIES);
  expect(cut).toEqual({ by: "similarity", at });
  expect(keptBy(cut, SIMILARITIES, 100)).toBe(count);
});

test("a step down the ranking lowers a threshold and raises a count", () => {
  expect(lowered({ by: "similarity", at: 0.3 }, 1, 5)).toEqual({ by: "similarity", at: 0.29 });
  expect(lowered({ by: "similarity", at: 0.1 }, -20, 5)).toEqual({ by: "similarity", at: 0.3 });
  expect(lowered({ by: "count", at: 3 }, 1, 5)).toEqual({ by: "count", at: 4 });
});

test("a line stays within its bounds", () => {
  expect(lowered({ by: "similarity", at: 0.99 }, -10, 5).at).toBe(1);
  expect(lowered({ by: "count", at: 5 }, 1, 5).at).toBe(5);
  expect(lowered({ by: "count", at: 1 }, -1, 5).at).toBe(1);
  expect(bounded({ by: "similarity", at: -7 }, 5).at).toBe(-1);
  expect(bounded({ by: "count", at: 2.6 }, 5).at).toBe(3);
});

test("Score and Normal have a line that can be moved, the others have none", () => {
  const score = { mode: "score", min_similarity: 0.6, max_k: 100, k_increment: 2 } as const;
  expect(cutLineOf(score)).toEqual({ by: "similarity", at: 0.6 });
  expect(withCut(score, { by: "similarity", at: 0.4 })).toEqual({ ...score, min_similarity: 0.4 });
  const normal = { mode: "normal", k: 4 } as const;
  expect(cutLineOf(normal)).toEqual({ by: "count", at: 4 });
  expect(withCut(normal, { by: "count", at: 7 })).toEqual({ mode: "normal", k: 7 });
  expect(cutLineOf({ mode: "none" })).toBeNull();
});
