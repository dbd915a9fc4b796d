import { expect, test } from "vitest";
import { logTicks, shortened } from "./axes";

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
