import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { InputSummary, RetrievalReport } from "@/api/types";
import { renderPart, stubServer } from "@/test-page";
import { Results } from "./Results";

const GRADES = {
  kind: "qrels",
  name: "pool",
  digest: "ab".repeat(32),
  entries: 2,
  graded_by: { name: "mistral" },
} as InputSummary;

async function measuredBy(input: InputSummary) {
  stubServer(() => ({ questions: [] }));
  const report = {
    dataset: "farm",
    ks: [1],
    n_judged: 2,
    rankings: [{ label: "Dense", figures: [], questions: [] }],
    inputs: [input],
  } as unknown as RetrievalReport;
  await renderPart(<Results report={report} />);
}

test("grades of a judge name it, and say that it is uncalibrated until people have rated its column", async () => {
  await measuredBy({ ...GRADES, rated: 0 });
  expect(
    await screen.findByText("Grades pool by mistral (uncalibrated): SHA-256 abababababab"),
  ).toBeVisible();
});

test("a judge whose passages people have rated too has its name alone", async () => {
  await measuredBy({ ...GRADES, rated: 3 });
  expect(await screen.findByText("Grades pool by mistral: SHA-256 abababababab")).toBeVisible();
});

test("grades of people name no judge", async () => {
  await measuredBy({ ...GRADES, graded_by: null });
  expect(await screen.findByText("Imported grades pool: SHA-256 abababababab")).toBeVisible();
});
