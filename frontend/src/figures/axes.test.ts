import { expect, test } from "vitest";
import { isOnLeft, logTicks, shortened } from "./axes";

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

test("a name stands on the left where the next point would stand on it, if there is room", () => {
  const names = ["Similarity ≥ 0.70", "Similarity ≥ 0.50", "Top-k 3"];
  expect(isOnLeft([64, 180, 210], names)).toEqual([false, true, false]);
  expect(isOnLeft([64, 300, 500], names)).toEqual([false, false, false]);
});
