import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import type { SweepAnalysis } from "@/api/types";
import { renderPart } from "@/test-page";
import { CompositeTable } from "./Results";

const configuration = (of: object) => ({
  model: "mistral",
  threshold: null,
  is_baseline: false,
  n: 24,
  n_excluded: 0,
  n_failed: 0,
  excluded: {},
  ci: null,
  retrieval: {},
  latency: { mean_prompt_tokens: null },
  comparison: null,
  ...of,
});
const ANALYSIS = {
  configurations: [
    configuration({ name: "Top-k 20", run_ids: ["r0"], is_baseline: true, mean_cps: 0.5 }),
    configuration({
      name: "Similarity ≥ 0.50",
      run_ids: ["r1"],
      mean_cps: 0.5123,
      threshold: 0.5,
      n: 22,
      n_excluded: 2,
      excluded: { generation_failed: 2 },
      comparison: {
        gain: 0.0123,
        ci: { low: 0.002, high: 0.0226 },
        improvement_pct: 2.46,
        p: 0.011,
        p_holm: 0.033,
        stars: "*",
        judged: { outcome: "better", gain: 0.0123, low: 0.002, high: 0.0226, p: 0.044, reason: null },
      },
    }),
  ],
  rule: { primary: "CPS", margin: 0.02, alpha: 0.05 },
  verdict: { conclusions: [{ model: "mistral", name: "Similarity ≥ 0.50" }] },
} as unknown as SweepAnalysis;

beforeEach(() => localStorage.clear());

/** The cell of a configuration under a heading. */
async function cell(row: string, heading: string, analysis = ANALYSIS) {
  localStorage.setItem("passer.table.configurations", JSON.stringify({ hidden: [], dense: false }));
  await renderPart(<CompositeTable analysis={analysis} />);
  const headings = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
  // The first column's cell is a heading of its row.
  const place = headings.indexOf(heading) - 1;
  const line = screen.getByRole("row", { name: new RegExp(row) });
  return within(line).getAllByRole("cell")[place];
}

test("a gain is written in points: .0123 of CPS is +1.23, and leads to the questions that changed", async () => {
  const gain = await cell("Similarity", "Gain in points");
  expect(gain).toHaveTextContent("+1.23");
  expect(
    within(gain as HTMLElement)
      .getByRole("link")
      .getAttribute("href"),
  ).toContain("/compare?runs=r0%7Er1&baseline=r0");
});

test("its interval is in points too", async () => {
  const interval = await cell("Similarity", "Gain, 95\u202f% CI");
  expect(interval?.querySelector("[aria-label]")).toHaveAttribute("aria-label", "+0.20 to +2.26");
  // Not for a mouse alone, and also on paper.
  expect(within(interval as HTMLElement).getByText("+0.20 to +2.26", { ignore: "title" })).toBeVisible();
});

test.each([
  ["better", 1],
  // As the server says where there is no verdict yet: the interval is a figure, and its colour would decide.
  ["undecided", 0],
])("the interval of a gain that is %s has the colour of a gain %i times", async (outcome, times) => {
  const [base, other] = ANALYSIS.configurations;
  const judged = { ...other?.comparison?.judged, outcome };
  const configurations = [base, { ...other, comparison: { ...other?.comparison, judged } }];
  const interval = await cell("Similarity", "Gain, 95\u202f% CI", {
    ...ANALYSIS,
    configurations,
  } as SweepAnalysis);
  expect(interval?.querySelectorAll(`g[class*="above"]`)).toHaveLength(times);
});

test("columns that few need are chosen, not shown", async () => {
  await renderPart(<CompositeTable analysis={ANALYSIS} />);
  const headings = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
  expect(headings).toEqual([
    "Configuration",
    "Passages",
    "Questions with passages",
    "CPS",
    "Gain in points",
    "Gain, 95\u202f% CI",
    "Outcome",
    "Abstained",
  ]);
});

test("the p value is the adjusted one, with its star, never that of one test", async () => {
  expect(await cell("Similarity", "p, adjusted")).toHaveTextContent(/^\.044\*$/);
  expect(screen.queryByText(".011")).not.toBeInTheDocument();
});

test("the outcome is said in a word", async () => {
  expect(await cell("Similarity", "Outcome")).toHaveTextContent("better");
});

test("the baseline is named, has no gain, and says why", async () => {
  const gain = await cell("Top-k", "Gain in points");
  expect(gain).toHaveAccessibleName(/This is the baseline/);
  expect(screen.getByRole("rowheader", { name: /Top-k/ })).toHaveTextContent("baseline");
});

test("questions that are left out are counted beside the others", async () => {
  expect(await cell("Similarity", "n")).toHaveTextContent("22 of 24");
});

test("the recommended configuration is marked and named so", async () => {
  await renderPart(<CompositeTable analysis={ANALYSIS} />);
  const row = screen.getByRole("row", { name: /Similarity/ });
  expect(row).toHaveAttribute("data-mark", "true");
  expect(within(row).getByRole("rowheader")).toHaveTextContent("recommended");
});

test("the model stands below a name that does not have it, and only there", async () => {
  const [base, other] = ANALYSIS.configurations;
  const configurations = [
    { ...base, name: "mistral, Top-k 20" },
    { ...other, model: "llama" },
  ];
  await renderPart(<CompositeTable analysis={{ ...ANALYSIS, configurations } as SweepAnalysis} />);
  const [first, second] = screen.getAllByRole("rowheader").map(({ textContent }) => textContent);
  expect(first).not.toContain("mistral, Top-k 20mistral");
  expect(first?.match(/mistral/g)).toHaveLength(1);
  expect(second).toContain("llama");
});

test("a share of questions is explained by its interval", async () => {
  const [first] = ANALYSIS.configurations;
  const retrieval = { abstention_rate: 0.1, abstention_ci: { low: 0.018, high: 0.404 } };
  const found = await cell("Top-k 20", "Abstained", {
    ...ANALYSIS,
    configurations: [{ ...first, retrieval }],
  } as unknown as SweepAnalysis);
  const shown = found?.querySelector("abbr");
  expect(shown?.textContent?.replaceAll(/\s/g, " ")).toBe("10.0 %");
  expect(shown?.title.replaceAll(/\s/g, " ")).toBe("95 % CI 1.8 % to 40.4 %");
});
