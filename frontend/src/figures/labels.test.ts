import { expect, test } from "vitest";
import { sidesOf } from "./labels";

const WIDTH = 400;
const sides = (...spots: [number, number, string][]) =>
  sidesOf(
    spots.map(([x, y, name]) => ({ x, y, name })),
    [],
    WIDTH,
  ).map((side) => side && [side.textAnchor === "start" ? "right" : "left", side.dy < 0 ? "above" : "below"]);

test("names stand on the right above their points while there is room", () => {
  expect(sides([20, 200, "Top-k 3"], [200, 100, "Top-k 5"])).toEqual([
    ["right", "above"],
    ["right", "above"],
  ]);
});

test("a name goes where it covers neither the name of a later point nor a point", () => {
  // Both points lie within one name (7 px a letter, 14 px a line); the second one chooses first.
  expect(sides([150, 100, "Similarity ≥ 0.50"], [158, 96, "Similarity ≥ 0.60"])).toEqual([
    ["left", "above"],
    ["right", "above"],
  ]);
  // 49 px to the right of 380 leave the drawing.
  expect(sides([380, 100, "Top-k 5"])).toEqual([["left", "above"]]);
});

test("a name without room is left out: the tip of the point says it", () => {
  const crowd = [0, 1, 2, 3, 4].map((step): [number, number, string] => [
    200 + step,
    100,
    "Similarity ≥ 0.50",
  ]);
  const found = sides(...crowd);
  expect(found.filter((side) => side === null)).toHaveLength(1);
  expect(new Set(found.map(String)).size).toBe(5);
});

test("a needed name is written although there is no room, within the drawing where it can be", () => {
  const here = { y: 100, name: "Similarity ≥ 0.50" };
  const crowd = [196, 198, 200, 202, 204].map((x) => ({ x, y: 100 }));
  const around = crowd.flatMap(({ x, y }) => [-60, -30, 30, 60].map((shift) => ({ x: x + shift, y: y - 9 })));
  const below = around.map(({ x }) => ({ x, y: 111 }));
  const [needed, other] = [true, false].map(
    (isNeeded) => sidesOf([{ ...here, x: 300, isNeeded }], [...around, ...below], WIDTH)[0],
  );
  expect(other).toBeNull();
  // 300 + 8 + 119 px would leave the drawing.
  expect(needed?.textAnchor).toBe("end");
});

test("a point without a name is not covered either", () => {
  const [side] = sidesOf([{ x: 100, y: 100, name: "Top-k 5" }], [{ x: 130, y: 92 }], WIDTH);
  expect(side?.textAnchor).toBe("end");
});
