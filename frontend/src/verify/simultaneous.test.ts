// @vitest-environment node
import { expect, test } from "vitest";
import { type ClusterSums, clusterSums, momentsOf, oneAmountOf, simultaneous } from "./simultaneous";
import { drawnIndices, outputs, upperOutputs } from "./splitmix";

test("random numbers are SplitMix64's", () => {
  // Published outputs for the seed 1234567, in two halves.
  const published = [6457827717110365317n, 3203168211198807973n, 9817491932198370423n, 4593380528125082431n];
  expect([...upperOutputs(1234567, 0, 4)]).toEqual(published.map((output) => Number(output >> 32n)));
  expect([...outputs(1234567, 0, 4).lower]).toEqual(published.map((output) => Number(output & 0xffffffffn)));
});

test("random numbers are found by place, also beyond 2^32 and for large seeds", () => {
  const mask = (1n << 64n) - 1n;
  const direct = (seed: number, place: number) => {
    let state = ((BigInt(place) + 1n) * 0x9e3779b97f4a7c15n + BigInt(seed)) & mask;
    state = ((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    state = ((state ^ (state >> 27n)) * 0x94d049bb133111ebn) & mask;
    return Number((state ^ (state >> 31n)) >> 32n);
  };
  for (const [seed, place] of [
    [0, 0],
    [20_260_101, 599_939],
    [2 ** 53 - 1, 2 ** 33],
    [1, 2 ** 32 - 1],
  ] as const) {
    expect(upperOutputs(seed, place, 1)[0]).toBe(direct(seed, place));
  }
  expect(drawnIndices(7, 3, 10)).toHaveLength(10);
  expect(Math.max(...drawnIndices(7, 3, 10))).toBeLessThan(10);
});

const pause = async () => {};
const RULE = { alpha: 0.05, draws: 9999, seed: 1 };

function ofQuestions(...values: number[]): ClusterSums {
  return clusterSums(
    values,
    values.map((_, number) => number),
  );
}

test("the example by hand: all 256 resamples of four questions", async () => {
  const family = [ofQuestions(2, 3, 4, 7), ofQuestions(-1, 1, 0, 4)];
  expect(momentsOf(family[0] as ClusterSums)).toMatchObject({ gain: 4, clusters: 4 });
  expect((momentsOf(family[0] as ClusterSums).error ?? 0) ** 2).toBeCloseTo(7 / 6, 12);
  const found = await simultaneous(family, RULE, pause);
  // u = 3 and l = -7 exactly: [4 - 3 SE, 4 + 7 SE] and [1 - 3 SE, 1 + 7 SE].
  expect(found.low.map((value) => value.toFixed(6))).toEqual(["0.759630", "-2.240370"]);
  expect(found.high.map((value) => value.toFixed(6))).toEqual(["11.560864", "8.560864"]);
  expect(found.p).toEqual([6 / 256, 94 / 256]);
});

test("the example by hand with clusters of questions", async () => {
  const clusters = [0, 0, 1, 2, 3];
  const family = [clusterSums([0, 2, 2, 3, 8], clusters), clusterSums([-1, -2, 1, 0, 4], clusters)];
  const [one, other] = family.map((member) => momentsOf(member));
  expect([one?.gain, other?.gain]).toEqual([3, 0.4]);
  expect((one?.error ?? 0) ** 2).toBeCloseTo(56 / 25, 12);
  expect((other?.error ?? 0) ** 2).toBeCloseTo(2792 / 1875, 12);
  const { low, high, p } = await simultaneous(family, RULE, pause);
  const error = Math.sqrt(56 / 25);
  expect(low[0]).toBeCloseTo(3 - 3.8 * error, 8);
  expect(high[0]).toBeCloseTo(3 + 11.375 * error, 8);
  expect(p).toEqual([34 / 256, 210 / 256]);
});

test("weighted questions by hand", () => {
  // Mean 9 / 4; influence w (d - 9 / 4) / 4 is -5/16, -1/16, 6/16; 3/2 of the sum of their squares is 93/256.
  const { gain, error } = momentsOf(clusterSums([1, 2, 3], [0, 1, 2], [1, 1, 2]));
  expect(gain).toBe(9 / 4);
  expect((error ?? 0) ** 2).toBeCloseTo(93 / 256, 12);
});

test("most clusters have one amount, but for the last bits of a difference, and fewer than ten have others", () => {
  const differences = (same: number, others: number) => [
    ...Array.from({ length: same }, (_, place) => 0.1 + place / 7 - place / 7),
    ...Array.from({ length: others }, (_, place) => -place),
  ];
  const amountOf = (same: number, others: number) => oneAmountOf(ofQuestions(...differences(same, others)));
  expect(amountOf(51, 9)).toMatchObject({ alike: 51 });
  expect(amountOf(51, 9)?.amount).toBeCloseTo(0.1, 12);
  expect(amountOf(50, 10)).toBeNull();
  // No majority.
  expect(amountOf(9, 9)).toBeNull();
  expect(amountOf(10, 9)).toMatchObject({ alike: 10 });
});
