import { expect, test } from "vitest";
import { type Column, compare, found } from "./columns";
import { csvOf, csvOfRows } from "./csv";

interface Row {
  name: string;
  size: number | null;
}

const COLUMNS: Column<Row>[] = [
  { id: "name", label: "Name", value: ({ name }) => name },
  { id: "size", label: "Size", group: "Disk", value: ({ size }) => size, format: (size) => `${size} B` },
];
const ROWS: Row[] = [
  { name: "run 10", size: 3 },
  { name: "Run 2", size: null },
  { name: "run 1", size: 7 },
];

test("numbers in names count, and case does not", () => {
  expect(["run 10", "Run 2", "run 1"].sort(compare)).toEqual(["run 1", "Run 2", "run 10"]);
  expect([10, 9, -1].sort(compare)).toEqual([-1, 9, 10]);
});

test("every word of a search must stand in the row", () => {
  const names = (find: string) => found(ROWS, COLUMNS, find).map(({ name }) => name);
  expect(names("RUN 7")).toEqual(["run 1"]);
  expect(names(" ")).toEqual(["run 10", "Run 2", "run 1"]);
  expect(names("walk")).toEqual([]);
});

test("case does not count in any script", () => {
  const rows = ["İncir", "Irmak", "ΟΔΟΣ", "ｗｈｅａｔ"].map((name) => ({ name, size: null }));
  const names = (find: string) => found(rows, COLUMNS, find).map(({ name }) => name);
  expect(["incir", "ırmak", "οδος", "wheat"].map(names)).toEqual(rows.map(({ name }) => [name]));
});

test("cells with commas, quotes and line breaks are quoted; formulas stay text; negative numbers stay numbers", () => {
  expect(csvOf([["a,b", 'say "x"', "two\nlines"]])).toBe('"a,b","say ""x""","two\nlines"');
  expect(csvOf([["=1+1", "-0.5", "-x", "+1"]])).toBe("'=1+1,-0.5,'-x,'+1");
  expect(csvOf([["-2+3", "-1e-5", "-.5", "-"]])).toBe("'-2+3,-1e-5,-.5,'-");
  expect(csvOf([["a"], ["b"]])).toBe("a\r\nb");
});

test("rows are copied as values under their whole headings", () => {
  expect(csvOfRows(COLUMNS, ROWS)).toBe("Name,Disk: Size\r\nrun 10,3\r\nRun 2,\r\nrun 1,7");
  // Buttons are no values.
  const act: Column<Row> = { id: "delete", label: "Delete", isAct: true, value: () => null };
  expect(csvOfRows([...COLUMNS, act], ROWS.slice(0, 1))).toBe("Name,Disk: Size\r\nrun 10,3");
});
