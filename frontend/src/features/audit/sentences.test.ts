import { expect, test } from "vitest";
import { STEPS, STUDY_STEPS, type Step } from "@/verify";
import { placesOf, reasonOf } from "./sentences";
import { TITLES } from "./titles";

const FAILED: Step = {
  name: "questions",
  outcome: "fail",
  why: "id_twice",
  facts: ["q-1"],
  more: 2,
  member: "questions.jsonl",
  number: 4,
  question: null,
  field: "id",
};

test("a failed step says why, how much more is wrong, and where", () => {
  expect(reasonOf(FAILED)).toBe("An earlier record has the same ID q-1. 2 more are affected.");
  expect(placesOf(FAILED)).toEqual(["In questions.jsonl", "Question 5: ID unknown", "Field id"]);
});

test("what was left out says because", () => {
  const left = { ...FAILED, outcome: "not_checked", why: "no_chain_asked", facts: [], more: 0 } as const;
  expect(reasonOf(left)).toMatch(/^Not checked: /);
});

test("what holds needs no reason, and no place", () => {
  const nowhere = { member: null, number: null, field: null };
  const holds = { ...FAILED, ...nowhere, outcome: "pass", why: null, facts: [], more: 0 } as const;
  expect([reasonOf(holds), placesOf(holds)]).toEqual(["", []]);
});

test("every step has a title", () => {
  expect(Object.keys(TITLES).sort()).toEqual([...new Set([...STEPS, ...STUDY_STEPS])].sort());
});
