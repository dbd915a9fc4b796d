import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { aFigure, aRow } from "@/figures/sample";
import { renderPart, stubServer } from "@/test-page";
import { Calibration } from "./Calibration";

afterEach(() => vi.unstubAllGlobals());

const agreement = {
  n: 4,
  labelled: 4,
  human_mean: 0.75,
  judge_mean: 1,
  error: 0.25,
  limits: { bias: 0.25, low: -0.73, high: 1.23 },
  rho: null,
  rho_interval: null,
  rho_by_formula: null,
  tau: null,
  categories: null,
};

const figureOf = (id: string, title: string) =>
  aFigure({
    id,
    title,
    kind: "scatter",
    is_sized: true,
    x: { label: "People", unit: "", scale: "number", domain: [0, 1], names: [] },
    y: { label: "Judge", unit: "", scale: "number", domain: [0, 1], names: [] },
    columns: [
      { field: "label", label: "Question", unit: "" },
      { field: "n", label: "Answers", unit: "" },
    ],
    series: [
      {
        name: "Rated answers",
        rows: [
          aRow({ x: 1, y: 1, n: 3, label: "Questions 1, 5" }),
          aRow({ x: 0, y: 1, n: 1, label: "Question 3" }),
        ],
        baseline: null,
        is_filled: false,
      },
    ],
    notes: ["On the diagonal judge and people give the same value."],
  });

const column = {
  column: "Answer correctness",
  raters: ["ana"],
  agreement,
  ceiling: null,
  length: null,
  draw: null,
  runs: [],
  answers: [],
  figures: [figureOf("both", "People and judge"), figureOf("differences", "Difference by mean")],
  elsewhere: null,
  warnings: [],
};

test("both figures stand below the calibration of their column, and are read as tables of the same marks", async () => {
  stubServer(() => ({ assessment_id: "a1", judge: "mistral", columns: [column] }));
  await renderPart(<Calibration id="a1" />);
  const region = await screen.findByRole("region", { name: "Calibration: Answer correctness" });
  const headings = within(region).getAllByRole("heading");
  expect(headings.map(({ tagName, textContent }) => [tagName, textContent])).toEqual([
    ["H3", "Calibration: Answer correctness"],
    ["H4", "People and judge"],
    ["H4", "Difference by mean"],
  ]);
  const picture = within(region).getByRole("img", { name: "People and judge" });
  expect(picture).toHaveAccessibleDescription(/Scatter plot of Judge by People/);
  await userEvent.click(within(screen.getByLabelText("View of People and judge")).getByText("Table"));
  const table = within(region).getByRole("table", { name: "People and judge" });
  const cells = within(table)
    .getAllByRole("row")
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole("cell")
        .map(({ textContent }) => textContent),
    );
  expect(cells.flat()).toEqual(expect.arrayContaining(["Questions 1, 5", "3", "Question 3", "1"]));
});

test("perfect agreement is shown without an interval, which equal resamples cannot give", async () => {
  const categories = {
    levels: [0, 1],
    table: [
      [2, 0],
      [0, 2],
    ],
    same: 1,
    same_interval: { low: 0.51, high: 1 },
    kappa: 1,
    ac: 1,
  };
  const perfect = { ...column, agreement: { ...agreement, rho: 1, categories } };
  stubServer(() => ({ assessment_id: "a1", judge: "mistral", columns: [perfect] }));
  await renderPart(<Calibration id="a1" />);
  const region = await screen.findByRole("region", { name: "Calibration: Answer correctness" });
  expect(within(region).getAllByText(/^1(\.0+)?, 95.% interval cannot be estimated$/)).toHaveLength(2);
  expect(within(region).getByText(/^1(\.0+)?, 95.% interval 0?\.510* to 1(\.0+)?$/)).toBeVisible();
});

test("the baseline has no gain over itself, and a gain says where the judge counts for it alone", async () => {
  const corrected = { value: 0.5, interval: { low: 0.4, high: 0.6 }, method: "labels" };
  const bias = { mean_difference: 0.1, ci: null };
  const runs = [
    { run_id: "r0", n: 25, judge_mean: 0.4, bias, bias_difference: null, corrected, gain: null },
    {
      run_id: "r1",
      n: 25,
      judge_mean: 0.4,
      bias,
      bias_difference: bias,
      corrected,
      gain: { ...corrected, value: 0.05, method: "ppi" },
    },
  ];
  stubServer(() => ({ assessment_id: "a1", judge: "mistral", columns: [{ ...column, figures: [], runs }] }));
  await renderPart(<Calibration id="a1" />);
  const [, baseline, other] = within(await screen.findByRole("table", { name: /^Calibration/ })).getAllByRole(
    "row",
  );
  expect(baseline).toHaveTextContent("The gains are over this configuration.");
  expect(other).toHaveTextContent("Gain: by judge and ratings (PPI++)");
});
