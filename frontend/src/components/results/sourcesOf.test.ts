import { expect, test } from "vitest";
import type { ConfigurationResult } from "@/api/types";
import { ofChange, ofRun, ofSheet } from "./goals";
import { sourcesOfSheets, sourcesOfSweep } from "./sourcesOf";

const configuration = (of: object) =>
  ({ n_failed: 0, is_baseline: false, threshold: null, comparison: null, ...of }) as ConfigurationResult;

test("a configuration leads to its first run, and beside its model's baseline to what changed", () => {
  const [base, high] = sourcesOfSweep([
    configuration({ model: "m", name: "k = 10", is_baseline: true, run_ids: ["s-0"], n_failed: 2 }),
    configuration({ model: "m", name: "Score 0.5", threshold: 0.5, run_ids: ["s-1", "s-2"], comparison: {} }),
  ]);
  expect(base).toMatchObject({ isBaseline: true, questions: ofRun("s-0"), failed: ofRun("s-0", "failed") });
  expect(base?.changed).toBeUndefined();
  expect(high).toMatchObject({ threshold: 0.5, questions: ofRun("s-1"), changed: ofChange("s-1", "s-0") });
  expect(high?.failed).toBeUndefined();
});

test("a configuration without a comparison leads to no change", () => {
  const [, other] = sourcesOfSweep([
    configuration({ model: "m", name: "k = 10", is_baseline: true, run_ids: ["s-0"] }),
    configuration({ model: "m", name: "Score 0.5", threshold: 0.5, run_ids: ["s-1"] }),
  ]);
  expect(other?.changed).toBeUndefined();
});

test("a sheet leads to its rows", () => {
  const [base] = sourcesOfSheets("sheets-a", [
    { path: "m/b.xlsx", model: "m", threshold: null, rows: 1, questions: 1, labels: "right" },
  ] as never);
  expect(base).toEqual({
    model: "m",
    name: null,
    threshold: null,
    isBaseline: true,
    questions: ofSheet("sheets-a", "m/b.xlsx"),
  });
});
