import { beforeEach, expect, test } from "vitest";
import { keepDraft, keepLast, recall } from "./draft";
import { DEFAULTS } from "./form";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

test("the form starts with the settings of the last sweep, without its name and its looks", () => {
  keepLast("", {
    ...DEFAULTS,
    name: "Second look",
    maxK: 20,
    looks: { first: 60, second: 140, is_planned: false },
  });
  expect(recall("")).toEqual({ ...DEFAULTS, name: "", maxK: 20, looks: null });
});

test("nobody sees what another account typed or started on the same computer", () => {
  keepLast("maria", { ...DEFAULTS, maxK: 20 });
  keepDraft("maria", { ...DEFAULTS, name: "Half typed" });
  expect(recall("ivan")).toEqual(DEFAULTS);
  expect(recall("maria").name).toBe("Half typed");
  keepLast("maria", { ...DEFAULTS, maxK: 30 });
  expect(recall("maria")).toEqual({ ...DEFAULTS, maxK: 30 });
});
