import { expect, test } from "vitest";
import type { RunComparison } from "@/api/types";
import { fileOf } from "./files";

test("a file names every run, the baseline and what is asked of it", () => {
  const comparison = { runs: [{ id: "a-000" }, { id: "b-001" }], baseline: "b-001" } as RunComparison;
  expect(fileOf(comparison, "questions/export", { metric: "F1 Score", format: "csv" })).toBe(
    "/api/v1/comparisons/questions/export?run=a-000&run=b-001&baseline=b-001&metric=F1+Score&format=csv",
  );
});
