import { expect, test } from "vitest";
import { pathOf, withPath } from "./paths";

const dropped = (name: string, path?: string) =>
  Object.assign(new File(["x"], name), path === undefined ? {} : { path });

test.each([
  ["./mistral/threshold_0.5/a.xlsx", "mistral/threshold_0.5/a.xlsx"],
  ["/mistral/a.xlsx", "mistral/a.xlsx"],
  [undefined, "a.xlsx"],
])("a file dropped at %s is sent as %s", async (path, expected) => {
  const file = dropped("a.xlsx", path);
  expect(pathOf(file)).toBe(expected);
  expect(withPath(file).name).toBe(expected);
  expect(await withPath(file).text()).toBe("x");
});
