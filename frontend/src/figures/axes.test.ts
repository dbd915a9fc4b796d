import { expect, test } from "vitest";
import { formatTick, logTicks, shortened } from "./axes";

test.each([
  [
    [293, 606],
    [300, 400, 500, 600],
  ],
  [
    [95, 1100],
    [100, 200, 500, 1000],
  ],
  [
    [0.002, 30],
    [0.01, 0.1, 1, 10],
  ],
  [[100, 100], [100]],
])("a logarithmic axis from end to end %j has the ticks %j", ([low, high], ticks) => {
  expect(logTicks([low ?? 0, high ?? 0]).map((tick) => Number(tick.toFixed(6)))).toEqual(ticks);
});

test("a name that does not fit is cut at its end, never at its beginning", () => {
  // 7 px a letter.
  expect(shortened("Similarity ≥ 0.50", 119)).toBe("Similarity ≥ 0.50");
  expect(shortened("Similarity ≥ 0.50", 77)).toBe("Similarity…");
});

test("the numbers of an axis have the same decimals, and large ones a thin space", () => {
  expect([0.5, 0.55, 0.6].map(formatTick)).toEqual(["0.50", "0.55", "0.60"]);
  expect([-0.2, 0.30000000000000004].map(formatTick)).toEqual(["−0.2", "0.3"]);
  expect([0, 1500].map(formatTick)).toEqual(["0", "1\u202f500"]);
});
