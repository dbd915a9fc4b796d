import { expect, test } from "vitest";
import type { MatrixColumn, MatrixRow } from "@/api/types";
import { colourOf, labelOf, type Scale, textOf } from "./matrixCell";

type Cell = MatrixRow["cells"][number];

const cell = (of: Partial<Cell>): Cell => ({
  score: 0.5,
  gain: 0.1,
  kept: 3,
  state: "scored",
  gold_lost: false,
  ...of,
});
const COLUMN: MatrixColumn = { run_id: "r1", name: "Similarity ≥ 0.50", model: "m", baseline: 0, mean: 0.5 };
const BASE: MatrixColumn = { ...COLUMN, baseline: null };
const GAIN: Scale = { shade: "gain", metric: "CPS", bound: 0.4, range: [0, 1], higherIsBetter: true };
const SCORE: Scale = { ...GAIN, shade: "score" };

/** Which colour is mixed in, and how much of it in per cent. */
function mix(of: Partial<Cell>, scale: Scale) {
  const [, colour, strength] = /var\((--\w+)\) (\d+)%/.exec(colourOf(cell(of), scale) ?? "") ?? [];
  return colour ? `${colour} ${strength}` : "none";
}

test.each([
  // 55 % is the strongest mix; half of the bound has half of it.
  [{ gain: 0.4 }, GAIN, "--gain 55"],
  [{ gain: 0.2 }, GAIN, "--gain 28"],
  [{ gain: -0.4 }, GAIN, "--loss 55"],
  // Beyond the bound a colour grows no stronger.
  [{ gain: -0.9 }, GAIN, "--loss 55"],
  [{ gain: 0 }, GAIN, "none"],
  [{ gain: null }, GAIN, "none"],
  // Where no gain differs from zero there is no scale.
  [{ gain: 0.2 }, { ...GAIN, bound: null }, "none"],
  // A perplexity that falls is a gain.
  [{ gain: -0.4 }, { ...GAIN, higherIsBetter: false }, "--gain 55"],
  [{ score: 1 }, SCORE, "--gain 55"],
  [{ score: 0 }, SCORE, "none"],
  [{ score: 0.2 }, { ...SCORE, range: [0, 0.4] as const }, "--gain 28"],
  // No colour is better than a misleading one.
  [{ score: 3 }, { ...SCORE, range: null }, "none"],
  [{ score: 3 }, { ...SCORE, range: [3, 3] as const }, "none"],
  [{ score: null }, SCORE, "none"],
])("%o is coloured by the fixed bounds", (of, scale, expected) => {
  expect(mix(of, scale)).toBe(expected);
});

test.each([
  [{ gain: 0.123 }, COLUMN, GAIN, "+12"],
  [{ gain: -0.004 }, COLUMN, GAIN, "0"],
  [{ score: 0.534, gain: null }, BASE, GAIN, "0.53"],
  [{ score: 0.534 }, COLUMN, SCORE, "0.53"],
  // Only CPS has points; a gain of a judged column of 1 to 5 would be 100 times what the verdict says.
  [{ gain: 0.123 }, COLUMN, { ...GAIN, metric: "METEOR" }, "+0.12"],
  [{ gain: -3.21 }, COLUMN, { ...GAIN, metric: "Perplexity", range: null }, "−3.2"],
  [{ state: "abstained" as const }, COLUMN, GAIN, "○"],
  [{ state: "failed" as const, score: null, gain: null }, COLUMN, GAIN, "●"],
  [{ state: "open" as const, score: null, gain: null }, COLUMN, GAIN, ""],
])("%o is written as points, as a score, or as a mark", (of, column, scale, expected) => {
  expect(textOf(cell(of), column, scale)).toBe(expected);
});

test("a cell says in words what its colour and its marks say", () => {
  expect(labelOf(cell({ gold_lost: true, kept: 1, state: "abstained" }), COLUMN, GAIN)).toBe(
    "Similarity ≥ 0.50, abstained, score 0.50, gain +10, 1 passage, gold passage lost",
  );
});
