import { expect, test } from "vitest";
import { changedLimits, limitsOf, USUAL } from "./limits";

test("the address keeps the limits that differ, and gives them back", () => {
  const limits = { ...USUAL, citation: 0.2, by: "document", published: true } as const;
  expect(changedLimits(limits)).toEqual({ citation: 0.2, by: "document", published: true });
  expect(limitsOf(changedLimits(limits))).toEqual(limits);
  expect(changedLimits(USUAL)).toBeUndefined();
});

test("what does not fit in the address is as usual", () => {
  expect(limitsOf({ citation: 1.5, grounding: "0.4", by: "page", per: null, published: "yes" })).toEqual(
    USUAL,
  );
  expect(limitsOf(undefined)).toEqual(USUAL);
});
