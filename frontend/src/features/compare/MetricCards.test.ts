import { expect, test } from "vitest";
import { barScale } from "./MetricCards";

test("a bar fills its share of the metric's own range", () => {
  const share = barScale({ minimum: -1, maximum: 1 }, [0, 0.5]);
  expect(share(0)).toBe(0.5);
  expect(share(0.5)).toBe(0.75);
  expect(share(null)).toBe(0);
});

test("without an upper bound the largest mean fills the track; means of 0 fill nothing instead of dividing by 0", () => {
  const share = barScale({ minimum: 0, maximum: null }, [4, 2, null]);
  expect(share(4)).toBe(1);
  expect(share(2)).toBe(0.5);
  expect(barScale({ minimum: 0, maximum: null }, [0, 0])(0)).toBe(0);
  expect(barScale({ minimum: null, maximum: null }, [null])(null)).toBe(0);
});

test("CPS, which has no description, lies between 0 and 1", () => {
  expect(barScale(undefined, [0.4])(0.4)).toBe(0.4);
});
