import { expect, test } from "vitest";
import { bg } from "./bg";
import { en } from "./en";

type Leaf = { path: string; value: unknown };

function leaves(value: unknown, path = ""): Leaf[] {
  if (typeof value !== "object" || value === null) return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, path ? `${path}.${key}` : key));
}

const paths = (language: object) => leaves(language).map(({ path }) => path);

test("both languages have the same keys", () => {
  expect(paths(bg).sort()).toEqual(paths(en).sort());
});

test("a sentence takes the same parts in both", () => {
  const arity = (language: object) =>
    leaves(language).map(
      ({ path, value }) => [path, typeof value === "function" ? value.length : 0] as const,
    );
  expect(new Map(arity(bg))).toEqual(new Map(arity(en)));
});

/** Names and terms that are the same in every language: no sentence of ours is among them. */
const TERMS =
  /Score \(|№|^[\s\d%.,*<>()[\]/:–=-]*$|PaSSER|WordNet|Ollama|Chroma|^(maxK|minSimilarityScore|k|n|p|d|top_[pk]|CPS|T-CPS|CV|nDCG|p, Holm|ollama pull .*)$/;

test("every sentence of the second language is in it", () => {
  const said = leaves(bg).filter(({ value }) => typeof value === "string");
  const foreign = said.filter(({ value }) => !/[а-я]/i.test(String(value)) && !TERMS.test(String(value)));
  expect(foreign).toEqual([]);
});
