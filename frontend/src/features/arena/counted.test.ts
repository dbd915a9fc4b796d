import { expect, test } from "vitest";
import { countedOf, kept } from "./counted";

test("an address keeps what was chosen, and nothing where everything is as usual", () => {
  const chosen = { inconsistent: "drop", seed: 7, without: ["a,b", "c"], against: "x" } as const;
  expect(countedOf(chosen)).toEqual(chosen);
  expect(kept(countedOf(chosen))).toEqual(chosen);
  expect(kept(countedOf(undefined))).toBeUndefined();
  expect(kept({ without: [], seed: undefined })).toBeUndefined();
});

test("what does not fit is nothing", () => {
  for (const raw of [
    "drop",
    3,
    null,
    [],
    { inconsistent: "maybe", seed: "7", tournaments: 1.5, without: "a", against: 4 },
  ])
    expect(countedOf(raw)).toEqual({ without: [] });
  expect(countedOf({ without: ["a", 1] }).without).toEqual(["a"]);
});
