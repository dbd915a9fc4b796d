import { describe, expect, test } from "vitest";
import { Problem, readProblem } from "./problem";

const FALLBACK = "The server answered with status 500.";

describe("a problem document", () => {
  const problem = readProblem(
    422,
    {
      type: "about:blank",
      title: "Not accepted",
      status: 422,
      detail: "axes.k.0: The value must be at least 1.",
      errors: [
        { field: "axes.k.0", row: null, message: "The value must be at least 1" },
        { field: "axes.k.0", row: null, message: "a second message" },
        { field: null, row: 7, message: "The question is empty" },
        { nonsense: true },
      ],
    },
    FALLBACK,
  );

  test("keeps title, sentence and status", () => {
    expect(problem).toBeInstanceOf(Problem);
    expect([problem.status, problem.title, problem.message]).toEqual([
      422,
      "Not accepted",
      "axes.k.0: The value must be at least 1.",
    ]);
  });

  test("keeps every readable entry, with its row", () => {
    expect(problem.errors.map(({ row }) => row)).toEqual([null, null, 7]);
  });

  test("names the first message of each field", () => {
    expect(problem.fields).toEqual({ "axes.k.0": "The value must be at least 1" });
  });
});

test.each([[null], ["<html>Bad gateway</html>"], [{}], [[]]])(
  "the body %j still gives a sentence",
  (body) => {
    const problem = readProblem(500, body, FALLBACK);
    expect(problem.message).toBe(FALLBACK);
    expect(problem.errors).toEqual([]);
  },
);

test("without a detail, the first entry speaks", () => {
  const body = { title: "Not accepted", errors: [{ message: "Name it." }] };
  expect(readProblem(422, body, FALLBACK).message).toBe("Name it.");
});

test("offline and missing are told apart", () => {
  expect(new Problem(0, "a", "b").isOffline).toBe(true);
  expect(new Problem(404, "a", "b").isMissing).toBe(true);
  expect(new Problem(503, "a", "b").isOffline).toBe(false);
});
