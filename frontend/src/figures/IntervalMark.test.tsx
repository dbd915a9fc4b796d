import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { IntervalMark, sharedRange } from "./IntervalMark";

test("the shared range holds zero and every interval", () => {
  const range = sharedRange([{ low: 0.1, high: 0.3 }, null, { low: 0.05, high: 0.2 }]);
  expect(range.low).toBeLessThan(0);
  expect(range.high).toBeGreaterThan(0.3);
});

test("a range of nothing still has a width", () => {
  expect(sharedRange([])).toEqual({ low: -1, high: 1 });
});

test.each([
  [{ low: 1, high: 3 }, "above"],
  [{ low: -3, high: -1 }, "below"],
  [{ low: -1, high: 1 }, "open"],
])("%j lies %s zero, and the mark stands in its middle", (interval, side) => {
  const value = (interval.low + interval.high) / 2;
  render(<IntervalMark value={value} interval={interval} range={{ low: -4, high: 4 }} label="the gain" />);
  const figure = screen.getByRole("img", { name: "the gain" });
  expect(figure.querySelector("g")?.getAttribute("class")).toContain(side);
  // 132 px wide from -4 to 4.
  expect(figure.querySelector("circle")).toHaveAttribute("cx", String(((value + 4) / 8) * 132));
});

test("what a correction for many comparisons leaves undecided is not filled", () => {
  const interval = { low: 1, high: 3 };
  render(
    <IntervalMark value={2} interval={interval} range={{ low: -4, high: 4 }} label="one" isDecided={false} />,
  );
  expect(screen.getByRole("img", { name: "one" }).querySelector("g")?.getAttribute("class")).toContain(
    "open",
  );
});
