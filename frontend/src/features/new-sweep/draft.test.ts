import { beforeEach, expect, test } from "vitest";
import { keepLast, recall } from "./draft";
import { DEFAULTS } from "./form";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

test("the form starts with the settings of the last sweep, without its name and its looks", () => {
  keepLast({
    ...DEFAULTS,
    name: "Second look",
    maxK: 20,
    looks: { first: 60, second: 140, is_planned: false },
  });
  expect(recall()).toEqual({ ...DEFAULTS, name: "", maxK: 20, looks: null });
});
