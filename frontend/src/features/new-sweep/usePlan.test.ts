import { expect, test } from "vitest";
import { Problem } from "@/api/problem";
import { DEFAULTS } from "./form";
import { copiedName, defaultName, sortProblem } from "./usePlan";

test("messages are sorted under their fields", () => {
  const problem = new Problem(422, "Not accepted", "Two things are wrong.", [
    { field: "axes.min_similarity.0", message: "at most 1" },
    { field: "axes.min_similarity.1", message: "at most 1, again" },
    { field: "config.options.seed", message: "not below 0" },
  ]);
  expect(sortProblem(problem, DEFAULTS)).toEqual({
    fields: { stop: "at most 1", seed: "not below 0" },
    complete: true,
  });
});

test("a message without a field of the form is shown as a whole", () => {
  const problem = new Problem(422, "Not accepted", "No.", [{ field: "config.retrieval.k", message: "No." }]);
  expect(sortProblem(problem, DEFAULTS).complete).toBe(false);
  expect(sortProblem(new Problem(503, "Unavailable", "Later."), DEFAULTS).complete).toBe(false);
  expect(sortProblem(null, DEFAULTS)).toEqual({ fields: {}, complete: false });
});

test("a sweep is named after what it varies", () => {
  const form = { ...DEFAULTS, dataset: "farming" };
  expect(defaultName(form)).toBe("farming: thresholds 0.50–0.95");
  const single = { ...form, thresholdsAs: "list" as const, thresholdList: "0.5" };
  expect(defaultName(single)).toBe("farming: threshold 0.50");
  expect(defaultName({ ...form, varyThreshold: false, varyK: true, ks: "5 10" })).toBe("farming: k = 5, 10");
});

test("a copy keeps a name that was typed, and gets one of its own in place of a generated one", () => {
  const form = { ...DEFAULTS, dataset: "farming" };
  expect(copiedName("Pilot", form)).toBe("Pilot, copy");
  expect(copiedName("farming: thresholds 0.50–0.95", form)).toBe("");
});
