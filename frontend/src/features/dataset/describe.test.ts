import { expect, test } from "vitest";
import { countWords, describe } from "./Statistics";

test("an odd number of values has a middle one", () => {
  expect(describe([9, 1, 5])).toEqual({ n: 3, minimum: 1, median: 5, mean: 5, maximum: 9 });
});

test("an even number has the mean of two; the order is that of numbers, not of texts", () => {
  expect(describe([10, 9, 2, 100])).toEqual({ n: 4, minimum: 2, median: 9.5, mean: 30.25, maximum: 100 });
});

test("one value is all of it, and none is nothing", () => {
  expect(describe([4])).toEqual({ n: 1, minimum: 4, median: 4, mean: 4, maximum: 4 });
  expect(describe([])).toBeNull();
});

test.each([
  ["What does clover bind?", 4],
  ["  two\n\twords ", 2],
  ["", 0],
])("words of %j", (text, count) => {
  expect(countWords(text)).toBe(count);
});
