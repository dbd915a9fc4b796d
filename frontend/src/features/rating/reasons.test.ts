import { expect, test } from "vitest";
import { noteOf, storedNote, toggledReason } from "./reasons";

test("a reason is stored as its code and taken out again; what was written stays", () => {
  const noted = toggledReason("see § 3; and § 4", "leaves_out");
  expect(noted).toBe("leaves_out; see § 3; and § 4");
  expect(noteOf(noted)).toEqual({ codes: ["leaves_out"], text: "see § 3; and § 4" });
  expect(toggledReason(noted, "leaves_out")).toBe("see § 3; and § 4");
  expect(toggledReason("", "unclear")).toBe("unclear");
  expect(toggledReason("adds; unclear", "adds")).toBe("unclear");
});

test("a text that is no code, an earlier translated reason too, is text; no key of an object is a code", () => {
  expect(noteOf("Incomplete answer; constructor")).toEqual({
    codes: [],
    text: "Incomplete answer; constructor",
  });
  expect(noteOf("constructor")).toEqual({ codes: [], text: "constructor" });
  expect(noteOf("")).toEqual({ codes: [], text: "" });
  expect(storedNote({ codes: ["adds"], text: "" })).toBe("adds");
});

test("typing a space behind a code changes the text only", () => {
  for (const text of ["a", "a;", "a; ", "a; b"]) {
    expect(noteOf(storedNote({ codes: ["adds"], text }))).toEqual({ codes: ["adds"], text });
  }
});
