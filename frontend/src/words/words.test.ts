import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { compare, extract, read } from "../../scripts/messages.mjs";

const CATALOGUE = join(import.meta.dirname, "bg.json");
const catalogue = (): Record<string, string> => JSON.parse(readFileSync(CATALOGUE, "utf8"));

/** The page's `t` in a language; the language is chosen when the module is loaded. */
async function speaking(language: string) {
  vi.resetModules();
  localStorage.setItem("passer.language", language);
  return (await import(".")).t;
}

const ROWS = "{total, plural, one {# row} other {# rows}}";

test("English is said with the plural of its number, and large numbers with a thin space", async () => {
  const t = await speaking("en");
  expect(t(ROWS, { total: 1 })).toBe("1 row");
  expect(t(ROWS, { total: 18744 })).toBe("18\u202f744 rows");
  expect(t("Copied")).toBe("Copied");
});

test("a number is not parted from its sign at the end of a line", async () => {
  const t = await speaking("en");
  expect(t("A 95 % interval, {share} % of all, {count, number} %", { share: "12", count: 7 })).toBe(
    "A 95\u202f% interval, 12\u202f% of all, 7\u202f%",
  );
});

test("Bulgarian comes from its catalogue, with its own plurals", async () => {
  const t = await speaking("bg");
  expect(t(ROWS, { total: 1 })).toBe("1 ред");
  expect(t(ROWS, { total: 21 })).toBe("21 реда");
  expect(t("Copied")).toBe("Копирано");
});

test("a context chooses between two words for one", async () => {
  const t = await speaking("bg");
  expect(t("Failed", {}, "state")).toBe("Неуспешно");
  expect(t("Failed")).toBe("Неуспешни");
});

test("a value cannot bring a placeholder of its own", async () => {
  const t = await speaking("en");
  expect(t("Delete {name}?", { name: "{total}" })).toBe("Delete {total}?");
});

test("every message of the sources is well formed and has its Bulgarian, and no other is kept", {
  timeout: 60_000,
}, () => {
  const { messages, wrong } = extract(join(import.meta.dirname, ".."));
  expect(messages.size).toBeGreaterThan(1000);
  expect([...wrong, ...compare(messages, catalogue())]).toEqual([]);
});

test("the check finds what is missing, stale, without a placeholder or a plural form", () => {
  const messages = new Map([["{n, number} of {m, number}", "{n, number} of {m, number}"]]);
  expect(compare(messages, {})).toEqual(['missing: "{n, number} of {m, number}"']);
  expect(compare(messages, {}, false)).toEqual([]);
  expect(compare(messages, { "{n, number} of {m, number}": "{n, number}" })).toHaveLength(1);
  expect(compare(new Map(), { gone: "няма" })).toEqual(['stale: "gone"']);
  expect(read("{n, plural, other {# rows}}").wrong).toHaveLength(1);
  expect(read("{n").wrong).toHaveLength(1);
});

/** Names and terms that are the same in every language: no sentence of ours is among them. */
const SAME =
  /Score \(|№|^[\s\d%.,*<>()[\]/:–=-]*$|PaSSER|WordNet|Ollama|Chroma|^(maxK|k|n|p|d|top_[pk]|CPS( \{score\})?|T-CPS|CV|nDCG|p, [A-Z].*|p, max-[TF]|F|MRR|t|ollama pull .*)$/;

test("every message of the second language is in it", () => {
  const bare = (text: string) => text.replaceAll(/\{\w+(, number)?\}|[Tt]op-k|maxK|\b[kn]\b/g, "");
  const foreign = Object.values(catalogue()).filter(
    (text) => /[A-Za-z]/.test(bare(text)) && !/[а-я]/i.test(text) && !SAME.test(text),
  );
  expect(foreign).toEqual([]);
});
