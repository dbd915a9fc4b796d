import { expect, test } from "vitest";
import { needsOf, rangeOf } from "./metricRange";

test.each([
  [0, 1, "0 to 1"],
  [-1, 1, "−1 to 1"],
  [1, null, "1 to unbounded"],
  [null, null, "unbounded to unbounded"],
])("a range from %j to %j", (minimum, maximum, text) => {
  expect(rangeOf({ minimum, maximum })).toBe(text);
});

test("what a metric needs goes by the names of the parts", () => {
  expect(needsOf(["wordnet", "encoder"])).toBe("WordNet, Encoder");
  expect(needsOf([])).toBe("no other component");
});
