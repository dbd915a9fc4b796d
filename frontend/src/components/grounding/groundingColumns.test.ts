import { expect, test } from "vitest";
import { changedLimits } from "./groundingColumns";
import { USUAL } from "./limits";

test("a measure says how it was computed only where that is not as usual", () => {
  const all = ["Citations", "Citation rate", "Cited share", "Grounded share", "Mean grounding"];
  expect(all.map((name) => changedLimits(name, USUAL))).toEqual(all.map(() => undefined));
  const changed = {
    citation: 0.2,
    grounding: 0.4,
    by: "document",
    per: "sentence",
    published: true,
  } as const;
  expect(all.map((name) => changedLimits(name, changed))).toEqual([
    "by citing sentence",
    "verified at 0.20 or more; numbers refer to documents; by citing sentence; passages split on white space",
    undefined,
    "grounded at 0.40 or more; passages split on white space",
    "passages split on white space",
  ]);
});
