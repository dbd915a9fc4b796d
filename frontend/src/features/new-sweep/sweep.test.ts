import { describe, expect, test } from "vitest";
import type { Sweep } from "@/api/types";
import { DEFAULTS, type SweepForm } from "./form";
import { fromSweep, toSweep } from "./sweep";

const form: SweepForm = { ...DEFAULTS, collection: "farming", dataset: "farming-60" };

describe("the sweep of a form", () => {
  test("varies thresholds against a Normal baseline of k = maxK", () => {
    const sweep = toSweep({ ...form, start: 0.4, stop: 0.5, step: 0.1, maxK: 50 }, "Name");
    expect(sweep.axes).toMatchObject({ min_similarity: [0.4, 0.5], k: [], model: [] });
    expect(sweep.baseline).toEqual({ mode: "normal", k: 50 });
    expect(sweep.max_k).toBe(50);
  });

  test("varies k alone, without a baseline", () => {
    const sweep = toSweep(
      { ...form, varyThreshold: false, varyK: true, ks: "5, 10", baseline: "nothing" },
      "Name",
    );
    expect(sweep.axes).toMatchObject({ min_similarity: [], k: [5, 10] });
    expect(sweep.baseline).toBeNull();
  });

  test("takes one model as its own and several as an axis", () => {
    expect(toSweep(form, "Name").axes?.model).toEqual([]);
    const several = toSweep({ ...form, models: ["ollama/a", "ollama/b"] }, "Name");
    expect(several.axes?.model).toEqual([
      { provider: "ollama", name: "a" },
      { provider: "ollama", name: "b" },
    ]);
  });

  test("leaves out what was emptied, so that the server's default holds", () => {
    const emptied = toSweep({ ...form, seed: "", questions: "", temperatures: "" }, "Name");
    const sent = JSON.parse(JSON.stringify(emptied));
    expect(sent.config.options).not.toHaveProperty("seed");
    expect(sent.config.options).not.toHaveProperty("temperature");
    expect(sent.config).not.toHaveProperty("questions");
    expect(sent.config.options.top_p).toBe(0.9);
  });

  test("passes wrong values on unchanged", () => {
    const sweep = toSweep({ ...form, start: 1.5, stop: 1.5, baselineK: -1 }, "Name");
    expect(sweep.axes?.min_similarity).toEqual([1.5]);
    expect(sweep.baseline).toEqual({ mode: "normal", k: -1 });
  });
});

describe("a form comes back from its sweep", () => {
  const typed: SweepForm[] = [
    { ...form, baselineK: 100 },
    { ...form, start: 0.45, stop: 0.6, step: 0.05, baselineK: 12, questions: 40, repeat: 2 },
    { ...form, models: ["ollama/a", "extractive/extractive"], temperatures: "0, 0.5", baseline: "none" },
    { ...form, varyK: true, ks: "5, 10", prompts: ["default", "terse"], baseline: "nothing" },
    { ...form, thresholdsAs: "list", thresholdList: "0.3, 0.35, 0.9", baselineK: 7, stripThinking: false },
    {
      ...form,
      varyThreshold: false,
      varyK: true,
      baseline: "nothing",
      noPassages: "ask",
      profile: "published",
    },
    {
      ...form,
      baseline: "copied",
      carried: {
        retrieval: { mode: "normal", k: 3 },
        axes: {
          retrieval: [{ mode: "none" }],
          chunking: [{ chunk_size: 512, chunk_overlap: 0, unit: "characters" }],
          embedding: [],
        },
        baseline: { mode: "score", min_similarity: 0.5, max_k: 10, k_increment: 2 },
      },
    },
    { ...form, baselineK: 9, timed: true, warmUp: 2 },
  ];

  test.each(typed.map((value, place) => [place, value] as const))("form %d", (_, value) => {
    expect(fromSweep(toSweep(value, "Name") as Sweep)).toEqual(value);
  });
});

test("a timing run is asked for with its warm-up; otherwise the sweep says nothing of it", () => {
  expect(toSweep({ ...DEFAULTS, timed: true, warmUp: 0 }, "Name").timing).toEqual({ warm_up: 0 });
  expect(toSweep({ ...DEFAULTS, timed: true, warmUp: "" }, "Name").timing).toEqual({ warm_up: undefined });
  expect("timing" in toSweep(DEFAULTS, "Name"), "no timing run").toBe(false);
});
