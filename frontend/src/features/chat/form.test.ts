import { expect, test } from "vitest";
import { DEFAULTS, fieldsOf, questionOf } from "./form";

const FORM = { ...DEFAULTS, question: "  Why? ", collection: "soil" };

test("a threshold asks by Score, with its maxK", () => {
  expect(questionOf({ ...FORM, threshold: "0.4", maxK: 20 }).retrieval).toEqual({
    mode: "score",
    min_similarity: 0.4,
    max_k: 20,
    k_increment: 2,
  });
});

test("Normal asks for the k nearest; no retrieval for none", () => {
  expect(questionOf({ ...FORM, mode: "normal", k: 7 }).retrieval).toEqual({ mode: "normal", k: 7 });
  expect(questionOf({ ...FORM, mode: "none" }).retrieval).toEqual({ mode: "none" });
});

test("a model is its provider and its tag, which may hold slashes itself", () => {
  expect(questionOf({ ...FORM, model: "ollama/org/mistral:7b" }).model).toEqual({
    provider: "ollama",
    name: "org/mistral:7b",
  });
  expect(questionOf(FORM).question).toBe("Why?");
});

test("an empty number is no zero", () => {
  expect(questionOf({ ...FORM, mode: "normal", k: "" }).retrieval).toEqual({ mode: "normal", k: Number.NaN });
});

test("the server's messages land under their fields", () => {
  expect(
    fieldsOf({
      "retrieval.score.min_similarity": "too high",
      "retrieval.normal.k": "too low",
      "options.temperature": "too hot",
      question: "missing",
    }),
  ).toEqual({ threshold: "too high", k: "too low", temperature: "too hot", question: "missing" });
});
