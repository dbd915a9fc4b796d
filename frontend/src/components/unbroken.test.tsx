import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { unbroken } from "./unbroken";

const wholesOf = (text: string) => {
  const { container } = render(<p>{unbroken(text)}</p>);
  expect(container.textContent).toBe(text);
  return [...container.querySelectorAll("span")].map((part) => part.textContent);
};

test("names with a hyphen and signs with their numbers stay on one line, and the text stays what it was", () => {
  expect(wholesOf("Similarity ≥ 0.50 against Top-k 10, question by question")).toEqual([
    "≥ 0.50",
    "Top-k 10",
  ]);
  expect(wholesOf("Сходство ≥ 0,50, има най-висок T-CPS.")).toEqual(["≥ 0,50", "T-CPS"]);
  expect(wholesOf("Bert-Score.f1 and Rouge-l.f, not B-RT.fluency")).toEqual([
    "Bert-Score.f1",
    "Rouge-l.f",
    "B-RT.fluency",
  ]);
});

test("a range of numbers stays on one line", () => {
  expect(wholesOf("thresholds 0.30–0.60; k = 5, 10")).toEqual(["0.30–0.60", "= 5"]);
  expect(wholesOf("тема – 12")).toEqual([]);
});

test("other text is left alone", () => {
  expect(wholesOf("A state-of-the-art model")).toEqual([]);
});
