import { expect, test } from "vitest";
import { listOf, only, readLabels, writeLabels } from "./labels";

test.each([
  [undefined, {}],
  ["mistral=Mistral 7B~orca-2=Orca", { mistral: "Mistral 7B", "orca-2": "Orca" }],
  ["=x~y=~z", {}],
  ["a=b=c", { "a=b": "c" }],
])("the address %j reads %j", (text, labels) => {
  expect(readLabels(text)).toEqual(labels);
});

test("labels go into the address and come back; what keeps its name needs none", () => {
  const labels = { mistral: "Mistral 7B", orca: "orca", llama: " " };
  expect(writeLabels(labels)).toBe("mistral=Mistral 7B");
  expect(readLabels(writeLabels(labels))).toEqual({ mistral: "Mistral 7B" });
  expect(writeLabels({})).toBeUndefined();
});

test("what parts labels cannot stand in one", () => {
  expect(listOf({ mistral: "a~b=c" })).toEqual(["mistral=a b c"]);
});

test("labels of models that are no longer there are dropped", () => {
  expect(only({ mistral: "M", orca: "O" }, ["orca"])).toEqual({ orca: "O" });
});
