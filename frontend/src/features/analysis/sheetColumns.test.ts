import { expect, test } from "vitest";
import { levelName, listOf, rowQuery } from "./sheetColumns";

test.each([
  [{}, { sheet: "m/a.xlsx" }],
  [{ sort: "-METEOR" }, { sheet: "m/a.xlsx", order: "METEOR", is_descending: true }],
  [{ sort: "number" }, { sheet: "m/a.xlsx", order: "number", is_descending: false }],
  [{ sort: "-answer" }, { sheet: "m/a.xlsx" }],
  [
    { find: "bees", only: "repeated" },
    { sheet: "m/a.xlsx", find: "bees", only: "repeated" },
  ],
] as const)("an address with %j asks for %j", (search, query) => {
  expect(rowQuery({ sheet: "m/a.xlsx", ...search })).toEqual(query);
});

test("a threshold is read without the noise of its binary form", () => {
  expect(levelName({ threshold: 0.1 + 0.2 })).toBe("threshold 0.3");
  expect(levelName({ threshold: null })).toBe("baseline");
  expect(levelName({ threshold: null, strategy: "competitive" })).toBe("competitive");
});

test("back to the list is back to the page that holds the row", () => {
  const search = { sort: "-METEOR", page: 3, marks: "off" } as const;
  expect(listOf(search, 120)).toEqual({ sort: "-METEOR", page: 2 });
  expect(listOf(search, 49)).toEqual({ sort: "-METEOR" });
  expect(listOf(search, null)).toEqual({ sort: "-METEOR", page: 3 });
});
