import { expect, test } from "vitest";
import type { Run } from "@/api/types";
import { ACTS, FITS } from "./acts";

const run = (state: Run["state"], failed = 0) => ({ state, counts: { failed } }) as Run;

test.each([
  [run("running"), ["pause", "cancel"]],
  [run("queued", 2), ["pause", "cancel"]],
  [run("paused"), ["resume", "cancel"]],
  [run("paused", 1), ["resume", "retry", "cancel"]],
  [run("cancelled"), ["resume"]],
  [run("failed", 3), ["resume", "retry"]],
  [run("finished"), []],
  [run("finished", 1), ["retry"]],
])("what fits %j", (given, expected) => {
  expect(ACTS.filter((act) => FITS[act](given))).toEqual(expected);
});
