import { expect, test } from "vitest";
import { differs } from "./ScoreTable";

test.each([
  [0.5, 0.50005, false],
  [0.5, 0.5002, true],
  [40_000, 40_003, false],
  [40_000, 40_010, true],
  [null, 0.5, false],
  [0.5, undefined, false],
])("%s and %s differ: %s", (published, again, expected) => {
  expect(differs(published, again)).toBe(expected);
});
