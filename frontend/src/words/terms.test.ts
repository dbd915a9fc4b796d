import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bg } from "./bg";

const ROOT = join(import.meta.dirname, "../../..");

/** All texts that stand in Python sources under one of these names. */
function textsOf(source: string, names: string): string[] {
  const pattern = new RegExp(`\\b(?:${names})="([^"]+)"`, "g");
  return [...source.matchAll(pattern)].map(([, text]) => text ?? "");
}

const isForeign = (text: string, said: string) => said === text && /[A-Za-z]{4}/.test(text);

test("every title, axis and column of the server's figures has its word in the second language", () => {
  const folder = join(ROOT, "passer/domain/figures");
  const files = readdirSync(folder).filter((name) => name.endsWith(".py"));
  const texts = files.flatMap((name) =>
    textsOf(readFileSync(join(folder, name), "utf8"), "title|label|unit|note"),
  );
  expect(texts.length).toBeGreaterThan(20);
  expect(texts.filter((text) => isForeign(text, bg.figures.term(text)))).toEqual([]);
  for (const text of [
    "CPS by similarity threshold",
    "Rank correlation of the metrics, all models",
    "CPS by the panel phase3, procedure corrected, relative to all 44 sheets: 16,236 rows.",
    "CPS by the panel phase3, relative to constants of sweep Farm (s-1), 1,200 rows: 300 rows.",
  ]) {
    expect(bg.figures.term(text)).toMatch(/[а-я]/);
  }
});

test("every kind of problem that the server names has its word in the second language", () => {
  const source = readFileSync(join(ROOT, "passer/api/problems.py"), "utf8");
  const kinds = [...source.matchAll(/\d{3}, "([^"]+)"\)/g)].map(([, title]) => title ?? "");
  expect(kinds.length).toBeGreaterThan(8);
  expect(kinds.filter((title) => isForeign(title, bg.errors.kind(title)))).toEqual([]);
});
