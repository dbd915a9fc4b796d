import { expect, test } from "vitest";
import {
  type Column,
  csvOf,
  found,
  groupsOf,
  headingOf,
  nextSort,
  readSort,
  sorted,
  writeSort,
} from "./columns";

interface Row {
  name: string;
  size: number | null;
}

const COLUMNS: Column<Row>[] = [
  { id: "name", label: "Name", cell: ({ name }) => name, text: ({ name }) => name, by: ({ name }) => name },
  {
    id: "size",
    label: "Size",
    cell: ({ size }) => size,
    text: ({ size }) => String(size ?? ""),
    by: ({ size }) => size,
  },
];
const ROWS: Row[] = [
  { name: "run 10", size: 3 },
  { name: "Run 2", size: null },
  { name: "run 1", size: 7 },
];
const names = (rows: Row[]) => rows.map(({ name }) => name);

test.each([
  ["name", ["run 1", "Run 2", "run 10"]],
  ["-name", ["run 10", "Run 2", "run 1"]],
  ["size", ["run 10", "run 1", "Run 2"]],
  ["-size", ["run 1", "run 10", "Run 2"]],
  ["nothing", ["run 10", "Run 2", "run 1"]],
])("sorted by %s; numbers in names count, and what has no value comes last", (text, expected) => {
  expect(names(sorted(ROWS, COLUMNS, readSort(text)))).toEqual(expected);
});

test("a sort is written as it is read", () => {
  for (const text of ["name", "-name"]) {
    const sort = readSort(text);
    expect(sort && writeSort(sort)).toBe(text);
  }
  expect(readSort(undefined)).toBeNull();
});

test("every word that is sought must stand in the row", () => {
  expect(names(found(ROWS, COLUMNS, "RUN 7"))).toEqual(["run 1"]);
  expect(names(found(ROWS, COLUMNS, " "))).toEqual(names(ROWS));
  expect(found(ROWS, COLUMNS, "walk")).toEqual([]);
});

test("cells with commas, quotes and line breaks are quoted; formulas stay text; negative numbers stay numbers", () => {
  expect(csvOf([["a,b", 'say "x"', "two\nlines"]])).toBe('"a,b","say ""x""","two\nlines"');
  expect(csvOf([["=1+1", "-0.5", "-x", "+1"]])).toBe("'=1+1,-0.5,'-x,'+1");
  expect(csvOf([["a"], ["b"]])).toBe("a\r\nb");
});

test("a heading sorts one way, then the other, then no more; numbers begin with the largest", () => {
  const [name, size] = COLUMNS;
  if (!name || !size) throw new Error("There are two columns.");
  const number = { ...size, isNumber: true };
  expect(nextSort(name, null)).toEqual({ column: "name", isDescending: false });
  expect(nextSort(name, { column: "name", isDescending: false })).toEqual({
    column: "name",
    isDescending: true,
  });
  expect(nextSort(name, { column: "name", isDescending: true })).toBeNull();
  expect(nextSort(number, { column: "name", isDescending: true })).toEqual({
    column: "size",
    isDescending: true,
  });
  expect(nextSort(number, { column: "size", isDescending: true })).toEqual({
    column: "size",
    isDescending: false,
  });
});

test("neighbours of one group stand under one heading, and are told apart where it is not there", () => {
  const column = (id: string, group?: string): Column<Row> => ({
    id,
    label: id,
    cell: () => id,
    text: () => id,
    ...(group ? { group } : {}),
  });
  const columns = [column("a"), column("b"), column("c", "one"), column("d", "one"), column("e", "two")];
  expect(groupsOf(columns).map(({ group, columns: own }) => [group, own.map(({ id }) => id)])).toEqual([
    [null, ["a"]],
    [null, ["b"]],
    ["one", ["c", "d"]],
    ["two", ["e"]],
  ]);
  expect(columns.map(headingOf)).toEqual(["a", "b", "one: c", "one: d", "two: e"]);
});
