import { describe, expect, test, vi } from "vitest";
import { DEFAULTS, decimals, fieldOf, numbers, type SweepForm, thresholdRange } from "./form";

const form: SweepForm = { ...DEFAULTS, collection: "farming", dataset: "farming-60" };

describe("thresholds", () => {
  test("hold both ends, without the dust of binary fractions", () => {
    expect(thresholdRange(0.3, 0.7, 0.1)).toEqual([0.3, 0.4, 0.5, 0.6, 0.7]);
    expect(thresholdRange(0.5, 0.95, 0.05)).toHaveLength(10);
  });

  test("stop before an end that the step does not reach", () => {
    expect(thresholdRange(0.3, 0.5, 0.15)).toEqual([0.3, 0.45]);
  });

  test.each([
    [0.3, 0.7, 0],
    [0.3, 0.7, -0.1],
    [0.7, 0.3, 0.1],
    ["", 0.7, 0.1],
    [0.3, 0.7, ""],
  ] as const)("of %j to %j by %j there are none", (start, stop, step) => {
    expect(thresholdRange(start, stop, step)).toEqual([]);
  });
});

test("numbers are read between commas and spaces; what is none stays for the server to refuse", () => {
  expect(numbers("5, 10 20;")).toEqual([5, 10, 20]);
  expect(numbers("")).toEqual([]);
  expect(numbers("5, ten")).toEqual([5, Number.NaN]);
});

test("a comma between digits is a decimal comma for readers of Bulgarian, and a separator for others", async () => {
  expect(decimals("0.5, 0.7")).toEqual([0.5, 0.7]);
  expect(decimals("5,10")).toEqual([5, 10]);
  vi.resetModules();
  localStorage.setItem("passer.language", "bg");
  const bulgarian = await import("./form");
  localStorage.clear();
  expect(bulgarian.decimals("0,5; 0,7 0.9, 1")).toEqual([0.5, 0.7, 0.9, 1]);
  expect(bulgarian.decimals("0.5,0.7,1")).toEqual([0.5, 0.7, 1]);
  expect(bulgarian.decimals("0,5,0,7")).toEqual([Number.NaN]);
  expect(bulgarian.numbers("5,10")).toEqual([5, 10]);
});

describe("a message finds its field", () => {
  test.each([
    ["config.options.temperature", "temperatures"],
    ["body.config.options.num_ctx", "numCtx"],
    ["axes.min_similarity.3", "stop"],
    ["axes.k.0", "ks"],
    ["baseline.k", "baselineK"],
    ["max_k", "maxK"],
    ["prompt", "prompts"],
  ])("%s is %s", (path, field) => {
    expect(fieldOf(path, form)).toBe(field);
  });

  test("thresholds in a list have the list's field", () => {
    expect(fieldOf("axes.min_similarity.0", { ...form, thresholdsAs: "list" })).toBe("thresholdList");
  });

  test("or none", () => {
    expect(fieldOf("config.no_such_thing", form)).toBeNull();
  });
});
