import { expect, test } from "vitest";
import { rowsOf } from "./download";

test("a row goes by the names that a question file has", () => {
  const gold_passages = [{ document: "soil.md", quote: "Clover binds nitrogen." }];
  const question = { id: "q1", text: "What binds nitrogen?", reference: "Clover.", gold_passages };
  expect(rowsOf({ name: "soil", language: "en", questions: [question] })).toEqual([
    { id: "q1", question: "What binds nitrogen?", reference: "Clover.", gold_passages, language: "en" },
  ]);
});
