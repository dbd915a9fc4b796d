import { expect, test } from "vitest";
import { formatTick, logTicks, nameTick, shortened, ticksOf } from "./axes";

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

test("thresholds below a figure have the same decimals", () => {
  const rows = [0.05, 0.1, 0.15].map((x) => ({ x, y: 1, series: "s" }));
  const { ticks, tickFormat } = ticksOf(rows as unknown as Parameters<typeof ticksOf>[0]);
  expect(ticks).toEqual([0.05, 0.1, 0.15]);
  expect((ticks as number[]).map(tickFormat as typeof formatTick)).toEqual(["0.05", "0.10", "0.15"]);
  expect([0.05, 0.1, "base 1.5"].map(nameTick)).toEqual(["0.05", "0.10", "base 1.5"]);
});
