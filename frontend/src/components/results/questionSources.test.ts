import { expect, test } from "vitest";
import { ofChange, ofRun, ofSheet } from "./goals";
import { foundIn, goalOfMark, goalsOf, type QuestionSource } from "./questionSources";

const run = (
  model: string,
  name: string,
  threshold: number | null,
  id: string,
  baseline?: string,
): QuestionSource => ({
  model,
  name,
  threshold,
  isBaseline: baseline === undefined,
  questions: ofRun(id),
  failed: ofRun(id, "failed"),
  ...(baseline ? { changed: ofChange(id, baseline) } : {}),
});
const RUNS = [
  run("mistral", "k = 10", null, "s-0"),
  run("mistral", "Score 0.5", 0.5, "s-1", "s-0"),
  run("orca", "k = 10", null, "s-2"),
  run("orca", "Score 0.5", 0.5, "s-3", "s-2"),
];
const SHEETS: QuestionSource[] = [
  { model: "m", name: null, threshold: null, isBaseline: true, questions: ofSheet("i", "m/b.xlsx") },
  { model: "m", name: null, threshold: 0.55, isBaseline: false, questions: ofSheet("i", "m/t.xlsx") },
];

test.each([
  [{ model: "orca", name: "Score 0.5" }, RUNS[3]],
  [{ model: "mistral", threshold: 0.5 }, RUNS[1]],
  [{ model: "mistral", threshold: 0.1 + 0.4 }, RUNS[1]],
  [{ model: "mistral", threshold: "baseline" }, RUNS[0]],
  [{ model: "mistral", threshold: null }, RUNS[0]],
  [{ model: "mistral" }, undefined],
  [{ model: "llama", threshold: 0.5 }, undefined],
])("%j is found", (sought, expected) => {
  expect(foundIn(RUNS, sought)).toBe(expected);
});

test("what fits two configurations leads to neither", () => {
  expect(foundIn([...RUNS, RUNS[1] as QuestionSource], { model: "mistral", threshold: 0.5 })).toBeUndefined();
});

test("the cells of a row lead to its questions, to what changed and to what failed", () => {
  const table = { columns: ["model", "name", "n", "n_failed", "mean_cps", "gain"], rows: [] };
  const goals = goalsOf(table, ["orca", "Score 0.5", 8, 2, 0.5, 0.01], RUNS);
  expect([...goals]).toEqual([
    [0, ofRun("s-3")],
    [3, ofRun("s-3", "failed")],
    [5, ofChange("s-3", "s-2")],
  ]);
  expect([...goalsOf(table, ["orca", "k = 10", 8, 0, 0.5, null], RUNS)]).toEqual([[0, ofRun("s-2")]]);
});

test("a row of two models leads to both, and one of best thresholds to each of them", () => {
  const two = { columns: ["model", "other_model", "threshold", "difference_of_gains"], rows: [] };
  expect([...goalsOf(two, ["mistral", "orca", 0.5, 0.01], RUNS)]).toEqual([
    [0, ofRun("s-1")],
    [1, ofRun("s-3")],
  ]);
  const best = { columns: ["model", "best_cps_threshold", "best_tcps_threshold"], rows: [] };
  expect([...goalsOf(best, ["m", 0.55, null], SHEETS)]).toEqual([[1, ofSheet("i", "m/t.xlsx")]]);
});

test("a rank before the model leads nowhere, the model does", () => {
  const ranked = { columns: ["rank", "model", "threshold"], rows: [] };
  expect([...goalsOf(ranked, [1, "m", 0.55], SHEETS)]).toEqual([[1, ofSheet("i", "m/t.xlsx")]]);
  expect(
    goalsOf({ columns: ["relationship", "spearman_rho"], rows: [] }, ["rho", 0.5], SHEETS),
  ).toHaveProperty("size", 0);
});

const mark = (of: object) => ({ x: 0.5, y: 0.6, label: "", series: "mistral", isBaseline: false, ...of });

test("a mark leads to its configuration", () => {
  expect(goalOfMark(mark({ label: "Score 0.5" }), RUNS)).toEqual(ofRun("s-1"));
  expect(goalOfMark(mark({ series: "orca, prompt", label: "Score 0.5" }), RUNS)).toEqual(ofRun("s-3"));
  expect(goalOfMark(mark({ series: "all", y: "orca", label: "Score 0.5" }), RUNS)).toEqual(ofRun("s-3"));
  expect(goalOfMark(mark({ isBaseline: true }), RUNS)).toEqual(ofRun("s-0"));
});

test("a mark of a sheet leads to it by its threshold, also where the axis holds CPS", () => {
  const sheet = mark({ series: "m", label: "threshold 0.55" });
  expect(goalOfMark({ ...sheet, x: 0.61 }, SHEETS)).toEqual(ofSheet("i", "m/t.xlsx"));
  expect(goalOfMark({ ...sheet, x: 0.55, label: "" }, SHEETS)).toEqual(ofSheet("i", "m/t.xlsx"));
  expect(goalOfMark({ ...sheet, x: 0.61, label: "baseline" }, SHEETS)).toEqual(ofSheet("i", "m/b.xlsx"));
});

test("a pair of metrics leads nowhere", () => {
  expect(goalOfMark(mark({ series: "all models", x: "BLEU", y: "METEOR" }), RUNS)).toBeUndefined();
  expect(goalOfMark(mark({ series: "all models", x: "BLEU", y: "METEOR" }), SHEETS)).toBeUndefined();
});

test("of two studies a row leads to its own, at its best threshold or, where none gains, at its baseline", () => {
  const both = [
    ...SHEETS.map((sheet) => ({ ...sheet, domain: "farm" })),
    { ...run("m", "k = 10", null, "law-0"), domain: "law" },
  ];
  const columns = ["model", "domain", "best_threshold"];
  const goals = (...row: (string | number | null)[]) => [...goalsOf({ columns, rows: [] }, row, both)];
  expect(goals("m", "farm", 0.55)).toEqual([
    [0, ofSheet("i", "m/t.xlsx")],
    [2, ofSheet("i", "m/t.xlsx")],
  ]);
  expect(goals("m", "law", null)).toEqual([[0, ofRun("law-0")]]);
});
