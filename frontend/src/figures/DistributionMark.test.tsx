import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { DistributionMark } from "./DistributionMark";

test("the fullest part is as tall as the mark, and a part that holds anything is seen", () => {
  render(<DistributionMark bins={[0, 1, 1000, 500]} median={0.5} label="smallest 0, median 0.5" />);
  const mark = screen.getByRole("img", { name: "smallest 0, median 0.5" });
  const bars = [...mark.querySelectorAll("rect")];
  const full = Number(mark.getAttribute("height"));
  expect(bars.map((bar) => Number(bar.getAttribute("height")))).toEqual([0, 1, full, full / 2]);
  expect(bars.map((bar) => Number(bar.getAttribute("y")))).toEqual([full, full - 1, 0, full / 2]);
  const median = mark.querySelectorAll("line")[1];
  expect(Number(median?.getAttribute("x1"))).toBe(Number(mark.getAttribute("width")) / 2);
});
