import { describe, expect, test } from "vitest";
import type { Sweep } from "@/api/types";
import { DEFAULTS, fieldOf, fromSweep, modelOf, numbers, type SweepForm, thresholds, toSweep } from "./form";

const form: SweepForm = { ...DEFAULTS, collection: "farming", dataset: "farming-60" };

describe("thresholds", () => {
  test("hold both ends, without the dust of binary fractions", () => {
    expect(thresholds(0.3, 0.7, 0.1)).toEqual([0.3, 0.4, 0.5, 0.6, 0.7]);
    expect(thresholds(0.5, 0.95, 0.05)).toHaveLength(10);
  });

  test("stop before an end that the step does not reach", () => {
    expect(thresholds(0.3, 0.5, 0.15)).toEqual([0.3, 0.45]);
  });

  test.each([
    [0.3, 0.7, 0],
    [0.3, 0.7, -0.1],
    [0.7, 0.3, 0.1],
    ["", 0.7, 0.1],
    [0.3, 0.7, ""],
  ] as const)("of %j to %j by %j there are none", (start, stop, step) => {
    expect(thresholds(start, stop, step)).toEqual([]);
  });
});

test("numbers are read between commas and spaces; what is none stays for the server to refuse", () => {
  expect(numbers("5, 10 20;")).toEqual([5, 10, 20]);
  expect(numbers("")).toEqual([]);
  expect(numbers("5, ten")).toEqual([5, Number.NaN]);
});

test("a model's tag may hold slashes", () => {
  expect(modelOf("ollama/hf.co/org/model:7b")).toEqual({ provider: "ollama", name: "hf.co/org/model:7b" });
});

describe("the sweep of a form", () => {
  test("varies thresholds against a Normal baseline of k = maxK", () => {
    const sweep = toSweep({ ...form, start: 0.4, stop: 0.5, step: 0.1, maxK: 50 }, "Name");
    expect(sweep.axes).toMatchObject({ min_similarity: [0.4, 0.5], k: [], model: [] });
    expect(sweep.baseline).toEqual({ mode: "normal", k: 50 });
    expect(sweep.max_k).toBe(50);
  });

  test("varies k and leaves the thresholds out", () => {
    const sweep = toSweep({ ...form, mode: "normal", ks: "5, 10", baseline: false }, "Name");
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
    const sent = JSON.parse(JSON.stringify(toSweep({ ...form, seed: "", questions: "" }, "Name")));
    expect(sent.config.options).not.toHaveProperty("seed");
    expect(sent.config).not.toHaveProperty("questions");
    expect(sent.config.options.temperature).toBe(0.2);
  });

  test("passes wrong values on unchanged", () => {
    const sweep = toSweep({ ...form, start: 1.5, stop: 1.5, baselineK: -1 }, "Name");
    expect(sweep.axes?.min_similarity).toEqual([1.5]);
    expect(sweep.baseline).toEqual({ mode: "normal", k: -1 });
  });
});

test("a form comes back from its sweep", () => {
  const typed: SweepForm = {
    ...form,
    models: ["ollama/a", "extractive/extractive"],
    start: 0.45,
    stop: 0.6,
    step: 0.05,
    baselineK: 12,
    questions: 40,
    repeat: 2,
    temperature: 0,
  };
  expect(fromSweep(toSweep(typed, "Name") as Sweep)).toEqual(typed);
});

describe("a message finds its field", () => {
  test.each([
    ["config.options.temperature", "temperature"],
    ["body.config.options.num_ctx", "numCtx"],
    ["axes.min_similarity.3", "stop"],
    ["axes.k.0", "ks"],
    ["baseline.k", "baselineK"],
    ["max_k", "maxK"],
    ["prompt", "prompt"],
  ])("%s is %s", (path, field) => {
    expect(fieldOf(path)).toBe(field);
  });

  test("or none", () => {
    expect(fieldOf("config.no_such_thing")).toBeNull();
  });
});
