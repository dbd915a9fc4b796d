// @vitest-environment node
import { expect, test } from "vitest";
import { lookedAt, normalQuantile, normalShare, spentAlpha } from "./two-looks";

test("the normal distribution has its published values", () => {
  // Abramowitz and Stegun (1964), table 26.1, to ten decimals.
  for (const [z, share] of [
    [0, 0.5],
    [1, 0.8413447461],
    [1.96, 0.9750021049],
    [3, 0.998650102],
    [5, 0.9999997133],
  ] as const) {
    expect(normalShare(z)).toBeCloseTo(share, 9);
    expect(normalShare(-z)).toBeCloseTo(1 - share, 9);
  }
  expect([normalShare(60), normalShare(-60)]).toEqual([1, 0]);
  expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 14);
  expect(normalQuantile(0.995)).toBeCloseTo(2.575829303548901, 13);
  expect(normalQuantile(0.5)).toBe(0);
});

test("the error that a first look spends", () => {
  // 1.95996 / sqrt(60 / 140) = 2.99388, of which the normal distribution leaves .00275 on both sides.
  expect(spentAlpha(0.05, 60 / 140)).toBeCloseTo(0.00275, 5);
  expect(spentAlpha(0.05, 0.5)).toBeCloseTo(0.00557, 5);
  expect(spentAlpha(0.05, 0.001)).toBe(0);
  expect(spentAlpha(1e-300, 0.5)).toBeCloseTo(0, 12);
});

test("a cluster with a new question is new, and each part needs two clusters", () => {
  expect(lookedAt([true, true, true, false, false], [0, 1, 2, 2, 3], 0.6)).toEqual({
    inFirst: [true, true, false, false],
    share: 0.6,
  });
  expect(lookedAt([true, true, true, false], [0, 1, 2, 3], 0.75)).toBeNull();
});
