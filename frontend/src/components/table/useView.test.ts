import { expect, test } from "vitest";
import { keyOf, readSort, readTable, writeSort } from "./useView";

test("a sort is written as it is read", () => {
  for (const text of ["name", "-name"]) {
    const sort = readSort(text);
    expect(sort && writeSort(sort)).toBe(text);
  }
  expect(readSort(undefined)).toBeNull();
});

test("several tables of a page have keys of their own in the address", () => {
  expect(["sort", "find", "page"].map((name) => keyOf("", name as "sort"))).toEqual(["sort", "find", "page"]);
  expect(keyOf("metrics", "sort")).toBe("metricsSort");
});

test("digits are read as text, and what is no page is the first", () => {
  const search = { find: 2018, sort: "-n", metricsPage: 3, page: -1 };
  expect(readTable(search, "")).toEqual({ find: "2018", sort: "-n", page: 0 });
  expect(readTable(search, "metrics")).toEqual({ find: undefined, sort: undefined, page: 3 });
  expect(readTable({ find: ["a"], page: "x" }, "")).toEqual({ find: undefined, sort: undefined, page: 0 });
});
