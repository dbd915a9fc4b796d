import { expect, test } from "vitest";
import { constantsIn, pinned, pinnedAddress, sourceOf } from "./constants";

const CONSTANTS = { source: "a study", metrics: [{ metric: "METEOR", minimum: 0, maximum: 1 }] };

test("an address says whose constants are taken", () => {
  expect(sourceOf(undefined)).toBe("own");
  expect(sourceOf("sheets-0123")).toBe("analysis");
  expect(sourceOf(JSON.stringify(CONSTANTS))).toBe("file");
});

test("own constants leave the address as it is", () => {
  expect(pinned(undefined)).toEqual({});
  expect(pinnedAddress(undefined, "?")).toBe("");
  expect(pinned("sheets-1")).toEqual({ constants: "sheets-1" });
  expect(pinnedAddress('{"a": 1}', "&")).toBe("&constants=%7B%22a%22%3A%201%7D");
});

test.each([
  [JSON.stringify({ scope: "all", constants: CONSTANTS }), JSON.stringify(CONSTANTS)],
  [JSON.stringify(CONSTANTS), JSON.stringify(CONSTANTS)],
  [JSON.stringify({ constants: null }), null],
  ["[1]", null],
  ["null", null],
  ["no JSON", null],
])("in %s are the constants %s", (text, expected) => {
  expect(constantsIn(text)).toBe(expected);
});
