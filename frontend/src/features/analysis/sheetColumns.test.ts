import { expect, test } from "vitest";
import { columnsOf, listOf, rowQuery, thresholdName, withSorted } from "./sheetColumns";

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

test("what rows are sorted by is shown, even where it was not chosen", () => {
  const all = columnsOf("sheets-a", { sheet: "m/a.xlsx" });
  const shown = all.filter(({ isExtra }) => !isExtra);
  expect(shown.map(({ id }) => id)).toEqual(["question", "number", "answer", "METEOR", "F1 Score"]);
  expect(withSorted(shown, all, { column: "BLEU", isDescending: true }).at(-1)?.id).toBe("BLEU");
  expect(withSorted(shown, all, { column: "METEOR", isDescending: true })).toEqual(shown);
  expect(withSorted(shown, all, null)).toEqual(shown);
});

test("a threshold is read without the noise of its binary form", () => {
  expect(thresholdName(0.1 + 0.2)).toBe("threshold 0.3");
  expect(thresholdName(null)).toBe("baseline");
});

test("back to the list is back to the page that holds the row", () => {
  const search = { sort: "-METEOR", page: 3, marks: "off" } as const;
  expect(listOf(search, 120)).toEqual({ sort: "-METEOR", page: 2 });
  expect(listOf(search, 49)).toEqual({ sort: "-METEOR" });
  expect(listOf(search, null)).toEqual({ sort: "-METEOR", page: 3 });
});
