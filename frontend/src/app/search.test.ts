import { expect, test } from "vitest";
import { amount, choice, parts, place, text } from "./search";

test("an address that fits is read", () => {
  expect(text({ copy: "a1b2" }, "copy")).toEqual({ copy: "a1b2" });
  expect(text({ copy: 123 }, "copy")).toEqual({ copy: "123" });
  expect(place({ after: 49 }, "after")).toEqual({ after: 49 });
  expect(choice({ rest: "shown" }, "rest", ["shown"])).toEqual({ rest: "shown" });
  expect(parts({ counted: { seed: 7 } }, "counted")).toEqual({ counted: { seed: 7 } });
  expect(amount({ cut: -0.25 }, "cut")).toEqual({ cut: -0.25 });
});

test("what does not fit is nothing, and its key says so", () => {
  expect(text({ copy: "" }, "copy")).toStrictEqual({ copy: undefined });
  expect(text({}, "copy")).toStrictEqual({ copy: undefined });
  expect(place({ after: -3 }, "after")).toStrictEqual({ after: undefined });
  expect(place({ after: "x" }, "after")).toStrictEqual({ after: undefined });
  expect(parts({ counted: "x" }, "counted")).toStrictEqual({ counted: undefined });
  expect(amount({ cut: "x" }, "cut")).toStrictEqual({ cut: undefined });
  expect(amount({ cut: Number.NaN }, "cut")).toStrictEqual({ cut: undefined });
  expect(place({}, "after")).toStrictEqual({ after: undefined });
  expect(choice({ rest: "other" }, "rest", ["shown"])).toStrictEqual({ rest: undefined });
});
