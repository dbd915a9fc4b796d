import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { SweepAnalysis, SweepDetail } from "@/api/types";
import { renderPart, stubServer } from "@/test-page";
import { highestFirst, VerdictCard } from "./VerdictCard";

const SWEEP = {
  id: "s1",
  sweep: { config: { dataset: "farm" } },
  runs: [{ id: "r1", sweep_id: "s1", acts: ["retry"] }],
} as unknown as SweepDetail;
const line = (text: string, table = "verdict") => ({ text, numbers: [{ name: "n", value: 1, table }] });
const BASIS = {
  primary: "CPS",
  questions: 60,
  line: line("60 questions.", "configurations"),
  look: line("First look."),
  clustering: line("12 documents."),
};
const PLAIN = { gain: null, cost: null, tied: null, retrieval: null, margin: null, slices: [] };

function analysisOf(conclusion: object): SweepAnalysis {
  const full = {
    model: "m",
    name: null,
    basis: BASIS,
    would_change: [],
    next_steps: [],
    numbers: [],
    ...PLAIN,
  };
  const conclusions = [{ ...full, ...conclusion }];
  const beside = {
    arms: [{ line: line("Model b loses.") }],
    identical: [{ line: line("a and b are one.") }],
  };
  return {
    configurations: [],
    verdict: { exploratory: [], conclusions, ...beside },
  } as unknown as SweepAnalysis;
}

const CHEAPER = analysisOf({
  name: "Similarity ≥ 0.50",
  reason: "It is as good with 67 % fewer passages.",
  numbers: line("", "configurations").numbers,
  verdict: { kind: "as_good_cheaper", recommended: "Similarity ≥ 0.50", missing: [] },
  gain: { gain: 0.008, low: -0.013, high: 0.028, corrected: null },
  cost: { measure: "passages", value: 3.3, saved: 0.67, line: line("Cost.") },
  tied: { names: ["a", "b", "c"], line: line("Tied.") },
  alike: [line("d differs by one amount.")],
  retrieval: {
    lost: 3,
    of: 60,
    name: "Similarity ≥ 0.50",
    line: line("3 of 60 questions lost the gold passage.", "configurations"),
    causes: [{ line: line("Not retrieved: 2.", "causes") }],
  },
  margin: { line: line("The margin is 1.2 questions.") },
  slices: [{}, {}, {}],
  would_change: [line("A t-test disagrees.", "tests")],
  next_steps: [
    { code: "finer_range", text: "Refine", thresholds: [0.46, 0.48], k: [], run_ids: ["r1"] },
    { code: "gold_lost", text: "Show 3 questions", thresholds: [], k: [], run_ids: ["r1"] },
  ],
});

test("the recommended configuration is the heading, and the server's lines stand below it", async () => {
  await renderPart(<VerdictCard sweep={SWEEP} analysis={CHEAPER} />);
  expect(screen.getByRole("heading", { level: 3 })).toHaveTextContent("Similarity ≥ 0.50");
  expect(screen.getByText("As good as the baseline, at a lower cost")).toBeInTheDocument();
  const lines = screen.getAllByRole("listitem").map((item) => item.textContent);
  expect(lines).toEqual([
    "Tied.",
    "d differs by one amount.",
    "Cost.",
    "3 of 60 questions lost the gold passage.",
    "Not retrieved: 2.",
    "60 questions.",
    "First look.",
    "12 documents.",
    "The margin is 1.2 questions.",
    "A t-test disagrees.",
    "Model b loses.",
    "a and b are one.",
  ]);
});

test("every line leads to the table in which its numbers are computed", async () => {
  await renderPart(<VerdictCard sweep={SWEEP} analysis={CHEAPER} />);
  const table = (text: string) => screen.getByText(text).closest("a")?.getAttribute("href");
  expect(table("Not retrieved: 2.")).toBe("/analysis/sweeps/s1?table=causes");
  expect(table("A t-test disagrees.")).toBe("/analysis/sweeps/s1?table=tests");
  expect(table("Gains within 3 groups of questions")).toBe("/analysis/sweeps/s1?table=slices");
});

test("each number of a sentence leads to the table in which it is computed", async () => {
  const parts = [
    { text: "60", table: "configurations" },
    { text: " questions: differences below " },
    { text: "3.1", table: "verdict" },
    { text: " points at a level of 95 %." },
  ];
  const text = parts.map((part) => part.text).join("");
  const cost = {
    line: { ...line("4.0 passages"), parts: [{ text: "4.0", table: "causes" }, { text: " passages" }] },
  };
  const undecided = analysisOf({
    reason: text,
    parts,
    numbers: line("").numbers,
    cost,
    verdict: { kind: "cannot_tell", recommended: null, missing: [] },
  });
  await renderPart(<VerdictCard sweep={SWEEP} analysis={undecided} />);
  const reason = screen.getByText((_, element) => element?.tagName === "P" && element.textContent === text);
  expect(
    [...reason.querySelectorAll("a")].map((link) => [link.textContent, link.getAttribute("href")]),
  ).toEqual([
    ["60", "/analysis/sweeps/s1?table=configurations"],
    ["3.1", "/analysis/sweeps/s1?table=verdict"],
  ]);
  expect(screen.getByText("4.0").closest("a")?.getAttribute("href")).toBe("/analysis/sweeps/s1?table=causes");
});

test("the sentence of the verdict leads to the tables of all of its numbers", async () => {
  const [pairs] = line("", "configurations").numbers;
  const [needed] = line("", "verdict").numbers;
  const undecided = analysisOf({
    reason: "With 60 questions it cannot be told; about 140 questions would decide.",
    numbers: [pairs, needed, needed],
    verdict: { kind: "cannot_tell", recommended: null, missing: [] },
  });
  await renderPart(<VerdictCard sweep={SWEEP} analysis={undecided} />);
  const reason = screen.getByText(/60 questions it cannot be told/).closest("p");
  const links = [...(reason?.querySelectorAll("a") ?? [])];
  expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    [
      "With 60 questions it cannot be told; about 140 questions would decide.",
      "/analysis/sweeps/s1?table=configurations",
    ],
    ["Other figures in this sentence", "/analysis/sweeps/s1?table=verdict"],
  ]);
});

test("a next step opens the filled form of a sweep, or the questions that it is about", async () => {
  await renderPart(<VerdictCard sweep={SWEEP} analysis={CHEAPER} />);
  const form = new URL(screen.getByRole("link", { name: "Refine" }).getAttribute("href") ?? "", "http://x");
  expect(form.pathname).toBe("/new");
  expect(form.searchParams.get("thresholds")).toBe("0.46,0.48");
  expect(form.searchParams.get("copy")).toBe("s1");
  const questions = screen.getByRole("link", { name: "Show 3 questions" }).getAttribute("href");
  expect(questions).toContain("/sweeps/s1?view=questions&of=r1&only=gold_lost");
});

test("where the encoder does not know the script of the questions, the next step leads to the settings", async () => {
  const analysis = analysisOf({
    reason: "Only 10 questions can be compared.",
    verdict: { kind: "no_verdict", recommended: null, missing: ["too_few_pairs"] },
    next_steps: [
      { code: "other_encoder", text: "Use a multilingual encoder", thresholds: [], k: [], run_ids: [] },
    ],
  });
  await renderPart(<VerdictCard sweep={SWEEP} analysis={analysis} />);
  expect(screen.getByRole("link", { name: "Use a multilingual encoder" })).toHaveAttribute(
    "href",
    "/settings",
  );
});

test("without a verdict the card says what is missing, and its button retries", async () => {
  const asked = stubServer(() => ({}));
  const analysis = analysisOf({
    reason: "Only 12 questions can be compared.",
    parts: [
      { text: "Only ", table: null },
      { text: "12", table: "configurations" },
      { text: " questions can be compared.", table: null },
    ],
    verdict: { kind: "no_verdict", recommended: null, missing: ["failed_or_open"] },
    next_steps: [{ code: "retry_failed", text: "Retry 12 failed questions", run_ids: ["r1"] }],
  });
  await renderPart(<VerdictCard sweep={SWEEP} analysis={analysis} />);
  // The heading is not said a second time in the sentence under it.
  expect(screen.getByRole("article")).toHaveTextContent(/^No verdict yetOnly 12 questions can be compared\./);
  await userEvent.click(screen.getByRole("button", { name: "Retry 12 failed questions" }));
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toContain(
    "POST /api/v1/sweeps/s1/retry?run_id=r1",
  );
});

test("a judge that decides is named with how far it was checked, and its tables are those of the judge", async () => {
  const judged = analysisOf({
    name: "Similarity ≥ 0.50",
    reason: "It is better.",
    verdict: { kind: "better", recommended: "Similarity ≥ 0.50", missing: [] },
    judge: { heading: "Better, says judge J (unchecked)", line: "Only J has judged these answers." },
    tied: { names: ["a"], line: line("Tied.") },
  });
  const rule = { primary: "Faithfulness", judged_by: { assessment: "a1", judge: "J", status: "unchecked" } };
  await renderPart(
    <VerdictCard sweep={SWEEP} analysis={{ ...judged, rule } as SweepAnalysis} title="By J" />,
  );
  const card = screen.getByRole("region", { name: "By J" });
  expect(card).toHaveTextContent("Better, says judge J (unchecked)");
  expect(card).toHaveTextContent("Only J has judged these answers.");
  expect(card).not.toHaveTextContent("Better than the baseline");
  const link = screen.getByRole("link", { name: "Tied." });
  expect(link.getAttribute("href")).toContain("assessment=a1");
  expect(link.getAttribute("href")).toContain("primary=Faithfulness");
});

test("of several models the one with the highest mean comes first, and the others are folded", () => {
  const model = (name: string, number: number) => ({
    ...CHEAPER.verdict.conclusions[0],
    model: name,
    name: null,
    number,
    reason: `Sentence of ${name}.`,
    verdict: { kind: number === 0 ? "no_verdict" : "cannot_tell", recommended: null, missing: [] },
  });
  const configuration = (name: string, mean: number) => ({
    model: name,
    name: "base",
    is_baseline: true,
    mean_primary: mean,
    run_ids: [],
  });
  const analysis = {
    ...CHEAPER,
    // The one without a verdict has the highest mean, and still comes last.
    configurations: [configuration("low", 0.3), configuration("high", 0.6), configuration("open", 0.9)],
    verdict: { ...CHEAPER.verdict, conclusions: [model("open", 0), model("low", 3), model("high", 3)] },
  } as unknown as SweepAnalysis;
  expect(highestFirst(analysis).map((each) => each.model)).toEqual(["high", "low", "open"]);
});

test("while nothing is decided the baseline stays, and far more questions are not the step that is offered first", async () => {
  const undecided = analysisOf({
    reason: "60 questions are not enough.",
    verdict: { kind: "cannot_tell", recommended: null, missing: [] },
    next_steps: [
      {
        code: "add_questions",
        text: "Add 3284 questions",
        questions: 3354,
        thresholds: [],
        k: [],
        run_ids: [],
      },
      { code: "gold_lost", text: "Show 43 questions", thresholds: [], k: [], run_ids: ["r1"] },
    ],
  });
  const configurations = [
    { model: "m", name: "Top-k 10", is_baseline: true, run_ids: [] },
    { model: "m", name: "Similarity ≥ 0.50", is_baseline: false, run_ids: [] },
  ] as unknown as SweepAnalysis["configurations"];
  await renderPart(
    <VerdictCard sweep={{ ...SWEEP, questions: 60 }} analysis={{ ...undecided, configurations }} />,
  );
  expect(screen.getByText(/^Until more questions decide, keep Top-k 10:/)).toBeVisible();
  const steps = screen.getAllByRole("link", { name: /questions$/ });
  expect(steps.map((step) => step.textContent)).toEqual(["Show 43 questions", "Add 3284 questions"]);
  expect(steps[1]).toHaveAttribute("href", "/datasets/farm#new-version");
});
