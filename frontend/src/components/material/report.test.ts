import { expect, test } from "vitest";
import { leftOf, reportOf } from "./report";

test("new passages are counted, what was refused keeps its sentence, and pages without text are named", () => {
  const documents = [
    { name: "a.md", passages_added: 7, passages_present: 0, problem: null },
    { name: "b.md", passages_added: 0, passages_present: 4, problem: null },
    { name: "c.pdf", passages_added: 0, passages_present: 0, problem: "c.pdf is empty." },
    {
      name: "d.pdf",
      passages_added: 2,
      passages_present: 1,
      pages_without_text: 3,
      warnings: ["d.pdf lost 2."],
      problem: null,
    },
    { name: "e.pdf", passages_added: 0, passages_present: 1, pages_without_text: 0, problem: null },
  ];
  expect(reportOf({ documents, remark: "Two are read differently." })).toEqual({
    passages: 9,
    documents: 2,
    refused: [{ name: "c.pdf", problem: "c.pdf is empty." }],
    scanned: [{ name: "d.pdf", pages: 3 }],
    warnings: ["d.pdf lost 2."],
    remark: "Two are read differently.",
  });
});

test.each([[null], [undefined], [{}], [{ documents: "none" }], [{ documents: [null], remark: null }]])(
  "a job that says %j of its documents added nothing",
  (result) => {
    expect(reportOf(result)).toEqual({
      passages: 0,
      documents: 0,
      refused: [],
      scanned: [],
      warnings: [],
      remark: null,
    });
  },
);

test("of the chosen files only those that were refused stay in the form", () => {
  const files = [{ name: "a.md" }, { name: "b.md" }, { name: "c.pdf" }];
  const report = { passages: 9, documents: 2, scanned: [], warnings: [], remark: null };
  expect(leftOf(files, { ...report, refused: [{ name: "c.pdf", problem: "c.pdf is empty." }] })).toEqual([
    { name: "c.pdf" },
  ]);
  expect(leftOf(files, { ...report, refused: [] })).toEqual([]);
  // A refused member of an archive names no file: nothing is thrown away then.
  expect(leftOf(files, { ...report, refused: [{ name: "x/y.md", problem: "Empty." }] })).toEqual(files);
});
