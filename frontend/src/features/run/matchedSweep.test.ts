import { expect, test } from "vitest";
import type { Run, SweepDetail } from "@/api/types";
import { matchedSweep } from "./Matched";

const score = { mode: "score", min_similarity: 0.6, max_k: 100, k_increment: 2 };
const config = { dataset: "bees", collection: "bees", repeat: 2, retrieval: score };
const run = { id: "a", config } as unknown as Run;

function sweep(
  id: string,
  { axes = [score] as unknown[], threshold = { ...config, repeat: 1 } as unknown } = {},
) {
  return {
    id,
    sweep: { axes: { retrieval: axes }, baseline: { mode: "normal", k: 7 } },
    runs: [
      { is_baseline: true, config: { ...config, retrieval: { mode: "normal", k: 7 } } },
      { config: threshold },
    ],
  } as unknown as SweepDetail;
}

test("the newest test of the run's own threshold is found, however its keys are ordered", () => {
  const { dataset, collection, retrieval } = config;
  const other = sweep("other", {
    threshold: { ...config, repeat: 1, retrieval: { ...score, min_similarity: 0.5 } },
  });
  const turned = sweep("turned", { threshold: { retrieval, repeat: 1, collection, dataset } });
  expect(matchedSweep(run, [other, turned, sweep("older")])?.id).toBe("turned");
});

test("a sweep of thresholds, or one with further arms, is no such test", () => {
  const further = sweep("further");
  further.runs.push({ config } as unknown as Run);
  expect(matchedSweep(run, [sweep("thresholds", { axes: [] }), further])).toBeUndefined();
  expect(matchedSweep(run, [])).toBeUndefined();
});
