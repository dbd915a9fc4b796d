import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TEMPLATES } from "./bg/sentences";
import { told } from "./bg/told";
import { type Code, fill, placeholdersOf, type Wording } from "./sentences";

const ROOT = join(import.meta.dirname, "../../..");
const openapi = JSON.parse(readFileSync(join(ROOT, "frontend/openapi.json"), "utf8"));
/** The server's English by code, as its own description gives it. */
const ENGLISH: Record<Code, string> = openapi.components.schemas.Wording.properties.code["x-templates"];

const plain = (value: number, form: string) => `${form}${value}`;
const said = (wording: Wording) => told.sentence("", wording, plain);

test("every sentence of the server has its template in the second language, with the same values in it", () => {
  const codes = Object.keys(ENGLISH) as Code[];
  expect(codes.length).toBeGreaterThan(100);
  expect(Object.keys(TEMPLATES).sort()).toEqual([...codes].sort());
  const values = (templates: Record<string, string>) =>
    codes.map((code) => [code, placeholdersOf((templates[code] ?? "").replaceAll("!r", ""))]);
  expect(values(TEMPLATES)).toEqual(values(ENGLISH));
});

test("every one of them is in the second language", () => {
  const words = (template: string) => template.replaceAll(/\{[^}]*\}|`[^`]*`/g, "");
  const foreign = Object.entries(TEMPLATES).filter(
    ([, template]) => /[A-Za-z]{4}/.test(words(template)) && !/[а-я]/.test(words(template)),
  );
  expect(foreign).toEqual([]);
});

test("a template takes words by number and asks for the form of its numbers", () => {
  expect(said({ code: "warning.unfinished", values: { name: "k = 4", n: 1 } })).toBe(
    "k = 4: 1 въпрос още не е оценен; числата ѝ ще се променят.",
  );
  expect(said({ code: "warning.unfinished", values: { name: "k = 4", n: 3 } })).toContain(
    "3 въпроса още не са оценени",
  );
  expect(said({ code: "crossing.best", values: { threshold: 0.55, gain: 1.5 } })).toBe(
    "0.55 (points1.5 точки)",
  );
});

test("sentences within sentences, names in a row and reasons are said in the second language", () => {
  const pool: Wording = { code: "pool.model", values: { model: "mistral" } };
  expect(said({ code: "warning.constant", values: { metric: "BLEU", pool } })).toBe(
    "BLEU е еднаква навсякъде в „всички изпълнения на mistral“: тя е неутрална и не различава нищо.",
  );
  const reasons: Wording[] = [{ code: "warning.reason", values: { reason: "empty_answer", n: 2 } }];
  expect(said({ code: "warning.excluded", values: { name: "a", n: 2, reasons } })).toBe(
    "a: 2 въпроса са изключени (Моделът даде празен отговор: 2).",
  );
  expect(said({ code: "warning.no-one-baseline", values: { names: ["a", "b"] } })).toMatch(/: a, b\.$/);
  expect(said({ code: "pool.given", values: { source: "sweep Farm (s-1)", rows: 12 } })).toBe(
    "константите на серия Farm (s-1), 12 реда",
  );
});

test("a sentence without a wording, or newer than the page, is not said", () => {
  expect(told.sentence("Something.", undefined, plain)).toBeNull();
  expect(told.sentence("New.", { code: "new.code" as Code, values: {} }, plain)).toBeNull();
});

test("a name cannot bring a placeholder of its own", () => {
  const language = { templates: TEMPLATES, forms: {}, numbers: plain };
  expect(fill({ code: "pool.run", values: { run: "{n}" } }, language)).toBe("само {n}");
});

const source = (path: string) => readFileSync(join(ROOT, "passer/domain", path), "utf8");
const names = (text: string) => [...text.matchAll(/"([a-z]\w*)"/g)].map(([, name]) => name ?? "");

test("every table of the server has its title in the second language", () => {
  const [, titles = ""] = /^TITLES[^{]*\{(.*?)^\}/ms.exec(source("analysis/result_tables.py")) ?? [];
  const tables = [...titles.matchAll(/^ {4}(?:"(\w+)"|(\w+)): "/gm)].map(
    ([, name, constant]) => name ?? constant,
  );
  expect(tables.length).toBeGreaterThan(25);
  const constants = ["configurations", "spearman_within_model", "compared_metrics", "factors", "timings"];
  const all = [
    ...tables.filter((name) => name === name?.toLowerCase()),
    ...constants,
    "timings_between_machines",
  ];
  expect(all.filter((name) => told.table(name ?? "", "") === "")).toEqual([]);
});

/** Column names in the tuples that Python gives to its tables, and fields of a study's configuration. */
function columnsOf(path: string): string[] {
  const text = source(path);
  const tuples = [...text.matchAll(/(?:columns ?= ?|_[A-Z]+ = |_table\(\s*|_table\(name=\s*)\(([^)]*)\)/g)];
  const [, fields = ""] = /class StudyConfiguration\(Frozen\):(.*?)\n\n\n/s.exec(text) ?? [];
  const named = [...fields.matchAll(/^ {4}(\w+):/gm)].map(([, name]) => name ?? "");
  return [...tuples.flatMap(([, inside]) => names(inside ?? "")), ...named];
}

test("every column of the server's tables has its word in the second language", () => {
  const files = ["result_tables", "study_tables", "counts", "comparison_tables"].map(
    (name) => `analysis/${name}.py`,
  );
  const columns = [...files, "evidence/tables.py", "crossing/tables.py", "timing/tables.py"].flatMap(
    columnsOf,
  );
  expect(columns.length).toBeGreaterThan(200);
  // Parts of composed names, and names that are the same in every language.
  const parts = new Set(["median", "q1", "q3", ...columns.filter((name) => /_s$|_tokens$/.test(name))]);
  const same = /^(n|p|f|t|cv|mrr|tcps)$/;
  const lacking = columns.filter(
    (name) => !parts.has(name) && !same.test(name) && !/[а-яρ]|^(p, .*|p|t)$/.test(told.column(name)),
  );
  expect([...new Set(lacking)]).toEqual([]);
  for (const name of [
    "eval_s_median",
    "tokens_per_s_q1",
    "questions_for_0.5_points",
    "gain_with_passages_ci_low",
  ]) {
    expect(told.column(name)).toMatch(/[а-я]/);
  }
});

test("words in cells are said, names are not", () => {
  expect(told.cell("profile", "broad")).toBe("широк");
  expect(told.cell("is_best", "yes")).toBe("да");
  expect(told.cell("reason", "identical")).toMatch(/^Всички разлики/);
  expect(told.cell("pool", "all runs of yes")).toBe("всички изпълнения на yes");
  expect(told.cell("metric", "yes")).toBe("yes");
});
