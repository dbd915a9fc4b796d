import { expect, test } from "vitest";
import { rowsOf } from "./DatasetPage";

test("a row goes by the names that a question file has", () => {
  const gold_passages = [{ document: "soil.md", quote: "Clover binds nitrogen." }];
  const question = { id: "q1", text: "What binds nitrogen?", reference: "Clover.", gold_passages };
  expect(rowsOf({ name: "soil", language: "en", questions: [question] })).toEqual([
    { id: "q1", question: "What binds nitrogen?", reference: "Clover.", gold_passages, language: "en" },
  ]);
});

test("groups, categories and relevant documents are kept, and what is not known is left out", () => {
  const question = {
    id: "q1",
    text: "How many pandas?",
    reference: "",
    gold_passages: [],
    group: "en",
    category: "no result",
    relevant: [],
  };
  expect(rowsOf({ name: "soil", language: "en", questions: [question] })).toEqual([
    {
      id: "q1",
      question: "How many pandas?",
      reference: "",
      gold_passages: [],
      group: "en",
      category: "no result",
      relevant: [],
      language: "en",
    },
  ]);
});
