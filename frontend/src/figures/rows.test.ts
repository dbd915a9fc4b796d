import { expect, test } from "vitest";
import { csvOfRows } from "@/components/table/csv";
import { columnsOf } from "./FigureView";
import { cellOf, decimals, describe, namedRows } from "./rows";
import { aFigure, aRow } from "./sample";

test("the baseline comes before the rows of its series, and its place is a word", () => {
  const [first, second] = namedRows(aFigure());
  expect(first).toMatchObject({ series: "mistral", isBaseline: true, y: 0.55 });
  expect(first && cellOf(first, "x", 4)).toBe("baseline");
  expect(second).toMatchObject({ isBaseline: false, x: 0.3 });
});

test.each([
  ["y", "0.5000"],
  ["p", ".004"],
  ["n", "1\u202f000"],
  ["x", "0.3"],
  ["value", null],
] as const)("the cell %s reads %s", (field, text) => {
  const row = namedRows(aFigure())[1];
  expect(row && cellOf(row, field, 4)).toBe(text);
});

test("the CSV holds every value unrounded, with quotes where a name has a comma", () => {
  const rows = namedRows(aFigure());
  expect(csvOfRows(columnsOf(aFigure(), rows), rows)).toBe(
    [
      "Series,Threshold,CPS,p,n",
      "mistral,baseline,0.55,,1000",
      "mistral,0.3,0.5,0.004,1000",
      "mistral,0.4,0.61,0.4,1000",
      "mistral,0.5,,,",
      '"orca, 2",0.3,0.2,,',
      '"orca, 2",0.4,0.3,,',
    ].join("\r\n"),
  );
});

test("its description says what is drawn, for whom, and between which values", () => {
  const text = describe(aFigure());
  expect(text).toContain("Line chart of CPS by Threshold");
  expect(text).toContain("mistral, orca, 2");
  expect(text).toContain("from 0.2000 to 0.6100");
});

test("a figure of nothing says so", () => {
  const empty = aFigure({
    series: [{ name: "a", rows: [aRow({ x: 1, y: null })], baseline: null, is_filled: false }],
  });
  expect(describe(empty)).toContain("No value");
});

test.each([
  [[0.1, -0.9], 4],
  [[12], 2],
  [[1953.7], 0],
  [[null, "a"], 4],
])("%j have %d decimals", (values, digits) => {
  expect(decimals(values)).toBe(digits);
});
