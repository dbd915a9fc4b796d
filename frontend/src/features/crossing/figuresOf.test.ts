import { expect, test } from "vitest";
import type { CrossDomain } from "@/api/types";
import { figuresOf, starsOf } from "./figuresOf";

const best = (of: object) => ({ n_questions: 8, best_threshold: 0.5, gain: 0.02, ...of });
const CROSSED = {
  first: "farm",
  second: "law",
  constants: "joint",
  is_comparable: true,
  pools: [],
  models: [
    { model: "mistral", first: best({}), second: best({ best_threshold: 0.7, gain: 0.05 }) },
    { model: "orca", first: best({ best_threshold: null, gain: null }), second: best({ gain: 0.01 }) },
  ],
  differences: [
    { model: "mistral", threshold: 0.5, difference: -0.03, t: -2, p: 0.04, p_max_t: 0.009 },
    { model: "mistral", threshold: 0.7, difference: 0.01, t: 1, p: 0.3, p_max_t: 0.5 },
  ],
  moved: [{ metric: "METEOR", other_metric: "BLEU", first: 0.8, second: -0.1 }],
  only_first: [],
  only_second: [],
  differing: [],
  control: "",
  statements: [],
} as unknown as CrossDomain;

test("gains are drawn in points, a model a row and a domain a column, none where none gains", () => {
  const [gains] = figuresOf(CROSSED);
  expect(gains?.series[0]?.rows.map(({ x, y, value, label }) => [x, y, value, label])).toEqual([
    ["farm", "mistral", 2, "threshold 0.5"],
    ["law", "mistral", 5, "threshold 0.7"],
    ["farm", "orca", null, ""],
    ["law", "orca", 1, "threshold 0.5"],
  ]);
});

test("differences carry the stars of their corrected p", () => {
  const difference = figuresOf(CROSSED).find(({ id }) => id === "domains-difference");
  expect(difference?.series[0]?.rows.map(({ x, y, mark, p }) => [x, y, mark, p])).toEqual([
    [0.5, -3, "**", 0.009],
    [0.7, 1, "ns", 0.5],
  ]);
});

test("a moved pair has a cell in each domain", () => {
  const moved = figuresOf(CROSSED).find(({ id }) => id === "domains-moved");
  expect(moved?.series[0]?.rows.map(({ x, y, value }) => [x, y, value])).toEqual([
    ["farm", "METEOR × BLEU", 0.8],
    ["law", "METEOR × BLEU", -0.1],
  ]);
});

test("on different constants no gains are set side by side", () => {
  const own = { ...CROSSED, is_comparable: false, differences: [] };
  expect(figuresOf(own).map(({ id }) => id)).toEqual(["domains-moved"]);
});

test.each([
  [null, ""],
  [0.0009, "***"],
  [0.001, "**"],
  [0.0499, "*"],
  [0.05, "ns"],
])("p = %s has %j", (p, stars) => {
  expect(starsOf(p)).toBe(stars);
});
