import { expect, test } from "vitest";
import { bg } from "./bg";
import { en } from "./en";
import { nameOfField } from "./fields";
import type { Wording } from "./sentences";

const names = { model: "the model", model_digest: "the weights", retrieval: "retrieval", seed: "the seed" };

test.each([
  ["model.name", "the model"],
  ["conditions.model_digest", "the weights"],
  ["retrieval.k", "retrieval"],
  ["options.seed", "the seed"],
  ["scored_by.encoder_digest", "encoder digest"],
])("%s is %s", (path, name) => {
  expect(nameOfField(path, names)).toBe(name);
});

test("what is confounded is named in words, in both languages", () => {
  const wording: Wording = { code: "control.studied", values: { fields: ["dataset", "collection"], n: 2 } };
  const said = (words: typeof en) =>
    words.told.sentence("controlled: only dataset, collection differ", wording, String);
  expect(said(en)).toBe("controlled: only the dataset, the collection differ");
  expect(said(bg)).toBe("контролирано: разликите са само в набора от въпроси, колекцията");
});
