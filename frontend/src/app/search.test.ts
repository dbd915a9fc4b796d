import { expect, test } from "vitest";
import { choice, place, text } from "./search";

test("an address that fits is read", () => {
  expect(text({ copy: "a1b2" }, "copy")).toEqual({ copy: "a1b2" });
  // The router reads digits as a number; an id may be all digits.
  expect(text({ copy: 123 }, "copy")).toEqual({ copy: "123" });
  expect(place({ after: 49 }, "after")).toEqual({ after: 49 });
  expect(choice({ rest: "shown" }, "rest", ["shown"])).toEqual({ rest: "shown" });
});

test("what does not fit is left out", () => {
  expect(text({ copy: "" }, "copy")).toEqual({});
  expect(text({}, "copy")).toEqual({});
  expect(place({ after: -3 }, "after")).toEqual({});
  expect(place({ after: "x" }, "after")).toEqual({});
  expect(place({}, "after")).toEqual({});
  expect(choice({ rest: "other" }, "rest", ["shown"])).toEqual({});
});
