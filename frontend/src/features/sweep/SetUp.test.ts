import { expect, test } from "vitest";
import type { SweepDetail } from "@/api/types";
import { settingsOf } from "./SetUp";

test("collection, prompt and settings of systems whose answers were imported are not known", () => {
  const config = {
    dataset: "farm",
    collection: "-",
    model: { name: "ragas" },
    prompt: "default",
    profile: "standard",
  };
  const axes = { model: [{ name: "ragas" }, { name: "deepeval" }], prompt: [], temperature: [] };
  const sweep = { sweep: { config, axes }, runs: [{}, {}], questions: 60 } as unknown as SweepDetail;
  expect(settingsOf(sweep)).toBe(
    "2 configurations × 60 questions of farm. External systems: ragas, deepeval, whose collections, prompts and settings are not known; standard metrics.",
  );
});
