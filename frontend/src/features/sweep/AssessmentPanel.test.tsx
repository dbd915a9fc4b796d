import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { SweepDetail } from "@/api/types";
import { renderPart, stubServer } from "@/test-page";
import { AssessmentPanel, warningsOf } from "./AssessmentPanel";

afterEach(() => vi.unstubAllGlobals());

test("what holds of several columns is said once", () => {
  const unrated = "People have not rated this column.";
  expect(
    warningsOf([
      { column: "Answer correctness", changed: null, warnings: [unrated, "All values are equal."] },
      { column: "Faithfulness", changed: null, warnings: [unrated] },
    ]),
  ).toEqual([`Answer correctness, Faithfulness: ${unrated}`, "Answer correctness: All values are equal."]);
});

const SWEEP = { id: "s", runs: [{ id: "r", name: "Top-k 5" }] } as unknown as SweepDetail;

async function show(state: string) {
  const spec = { judge: { model: { name: "m" } }, columns: ["Faithfulness"], runs: ["r"] };
  const column = {
    column: "Faithfulness",
    changed: null,
    labels: 0,
    rho: null,
    warnings: ["All values are equal."],
  };
  const cell = {
    run_id: "r",
    column: "Faithfulness",
    mean: null,
    low: null,
    high: null,
    judged: 0,
    questions: 30,
  };
  stubServer(() => ({
    job: { id: "a", state, done: 7, total: 30, message: "" },
    table: {
      assessment: { id: "a", spec, spent: null },
      columns: [column],
      cells: [{ ...cell, reasons: { not_requested: 30 } }],
      warnings: [],
    },
  }));
  await renderPart(<AssessmentPanel id="a" sweep={SWEEP} others={[]} onUse={() => {}} />);
  await screen.findByRole("region", { name: "Judged by m" });
}

test("a judge that still works has a progress, and no means of the first answers", async () => {
  await show("running");
  expect(await screen.findByRole("button", { name: "Cancel assessment" })).toBeVisible();
  expect(screen.queryByText(/All values are equal/)).toBeNull();
  expect(screen.queryByRole("table")).toBeNull();
});

test("of a judge that stopped, what was not judged is said so", async () => {
  await show("cancelled");
  expect(await screen.findByText("Not judged. (30)")).toBeVisible();
});
