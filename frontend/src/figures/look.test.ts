import { expect, test } from "vitest";
import { keysOf } from "./keys";
import { between, DAY, inkOn, NIGHT, through } from "./look";
import { aFigure, aRow } from "./sample";
import { scaleOf } from "./scale";

test("a colour half way is the mean of both", () => {
  expect(between("#000000", "#ffffff", 0.5)).toBe("#808080");
  expect(between("#102030", "#102030", 0.7)).toBe("#102030");
});

test("a scale through three has the middle at a half", () => {
  expect(through(DAY.diverging, 0.5)).toBe(DAY.diverging[1]);
  expect(through(DAY.diverging, 0)).toBe(DAY.diverging[0]);
  expect(through(DAY.diverging, 1)).toBe(DAY.diverging[2]);
});

test("ink is black on light and white on dark", () => {
  expect(inkOn("#ffffff")).toBe("#000000");
  expect(inkOn("#1e377d")).toBe("#ffffff");
});

const heat = (is_diverging: boolean, domain: [number, number] | null) =>
  aFigure({
    kind: "heatmap",
    is_diverging,
    color: { label: "Gain", unit: "", scale: "number", domain, names: [] },
    series: [
      {
        name: "a",
        rows: [aRow({ x: 1, y: "a", value: -1 }), aRow({ x: 2, y: "a", value: 4 })],
        baseline: null,
        is_filled: false,
      },
    ],
  });

test("a diverging scale reaches as far below zero as above, so that zero is its middle", () => {
  const { ends, colour } = scaleOf(heat(true, null), DAY);
  expect(ends).toEqual([-4, 0, 4]);
  expect(colour(0)).toBe(DAY.diverging[1]);
  expect(colour(4)).toBe(DAY.gain);
  expect(colour(-9)).toBe(DAY.loss);
});

test("a scale of values goes between its fixed ends", () => {
  const { ends, colour } = scaleOf(heat(false, [0, 8]), DAY);
  expect(ends).toEqual([0, 8]);
  expect(colour(0)).toBe(DAY.sequential[0]);
  expect(colour(8)).toBe(DAY.sequential[1]);
});

test("a legend names each series with colour and shape of its own, and the baseline", () => {
  const keys = keysOf(aFigure(), DAY);
  expect(keys.map(({ name }) => name)).toEqual(["mistral", "orca, 2", "baseline (dashed)"]);
  expect(new Set(keys.map(({ path }) => path)).size).toBe(3);
});

test("bars say what their colours mean; heat maps give ends and middle", () => {
  expect(keysOf(aFigure({ kind: "bar" }), NIGHT).map(({ colour }) => colour)).toEqual([
    NIGHT.gain,
    NIGHT.loss,
    NIGHT.none,
  ]);
  expect(keysOf(heat(true, null), DAY).map(({ name }) => name)).toEqual(["−4.00", "0.00", "4.00"]);
});
