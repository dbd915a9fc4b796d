/** study.json as a schema, and the names of a study's members: docs/study.md. */
import * as v from "valibot";
import type { Json } from "../canonical";
import { COLUMNS, count, digest, mapOf, maybeText, real, text } from "../forms";
import { listedNames, PROOFS } from "../zip";

const FILES = ["verdict.json", "table.csv", "methods.md", "CITATION.cff", "ro-crate-metadata.json"] as const;
export const FIRST_MEMBERS = ["study.json", ...FILES, "entry.json"] as const;
/** Members of a study of imported sheets in place of bundles. */
export const ROWS = "rows.jsonl";
export const SHEET_FILES = [ROWS, "audit.json"] as const;
/** Prompts as they were sent, by choice. */
export const PROMPTS = "prompts.jsonl";
const MOST_RUNS = 10_000;
const LOCAL_HEADER = 30;

const run = v.strictObject({
  id: v.pipe(text, v.regex(/^[A-Za-z0-9_-]{1,60}$/)),
  name: text,
  is_baseline: v.boolean(),
  state: v.picklist(["queued", "running", "paused", "finished", "failed", "cancelled"]),
  reason: maybeText,
  config_digest: digest,
  run_digest: v.nullable(digest),
});
const other = v.strictObject({
  ...v.entriesFromList(["id", "name", "created_at", "state"], text),
  has_same_design: v.boolean(),
});

/** The plan as it was registered before the sweep. */
const registration = v.strictObject({
  format: v.literal("passer-registration-1"),
  sweep: text,
  design_digest: digest,
  dataset: digest,
  questions: v.pipe(v.array(digest), v.minLength(1)),
  configurations: v.pipe(v.array(digest), v.minLength(1), v.maxLength(MOST_RUNS)),
  known: v.array(digest),
  earlier: count,
});
export type RegistrationDocument = v.InferOutput<typeof registration>;

/** An imported result sheet: one configuration. */
const sheet = v.strictObject({
  id: text,
  name: text,
  model: v.pipe(text, v.minLength(1)),
  path: v.pipe(
    text,
    v.regex(/^[^/\n]+(\/[^/\n]+){0,2}$/),
    v.check((path) => !path.split("/").some((part) => part === "." || part === "..")),
  ),
  digest,
  is_baseline: v.boolean(),
  labels: v.picklist(["right", "shifted", "unclear"]),
  columns: v.pipe(v.array(v.picklist(COLUMNS)), v.minLength(1)),
  rows: count,
});
export type StudySheet = v.InferOutput<typeof sheet>;

const document = v.strictObject({
  format: v.picklist(["passer-study-1", "passer-study-2", "passer-study-3"]),
  title: text,
  authors: v.array(text),
  licence: maybeText,
  published_by: text,
  finished_at: text,
  sweep: v.strictObject(v.entriesFromList(["id", "name", "created_at"], text)),
  design: mapOf<Json>(v.custom<Json>(() => true)),
  design_digest: digest,
  dataset: v.pipe(
    v.strictObject({
      name: text,
      digest,
      questions: count,
      clusters: v.nullable(v.array(maybeText)),
      weights: v.nullable(v.array(v.pipe(real, v.gtValue(0)))),
    }),
    v.check(({ questions, clusters, weights }) =>
      [clusters, weights].every((each) => each === null || each.length === questions),
    ),
  ),
  prompts: v.array(v.strictObject({ name: text, digest, text })),
  runs: v.pipe(
    v.array(run),
    v.maxLength(MOST_RUNS),
    v.check((runs) => new Set(runs.map(({ id }) => id)).size === runs.length),
    v.check((runs) => runs.every((each) => each.run_digest === null || each.state === "finished")),
  ),
  others: v.array(other),
  registration: v.optional(registration),
  sheets: v.optional(v.pipe(v.array(sheet), v.minLength(1), v.maxLength(MOST_RUNS))),
  texts: v.optional(v.literal("withheld")),
  files: mapOf(digest),
});
export type StudyDocument = v.InferOutput<typeof document>;

/** Either runs or imported sheets, with the digest of each other file. */
export const studyForm = v.pipe(
  document,
  v.check((study) => {
    const { format, runs, sheets, files, dataset, prompts, others, registration: plan } = study;
    const names = fileNames(study);
    const isOfSheets = sheets !== undefined;
    const isDeclared = dataset.clusters !== null || dataset.weights !== null;
    const isPlanned = plan !== undefined || isDeclared || prompts.length > 0 || others.length > 0;
    return (
      !(isOfSheets && (isPlanned || format === "passer-study-3")) &&
      (runs.length === 0) === isOfSheets &&
      Object.keys(files).length === names.length &&
      names.every((name) => Object.hasOwn(files, name)) &&
      (sheets ?? []).every(({ id }, place) => id === `sheet-${place}`)
    );
  }),
);

/** Files whose digests it states. */
export function fileNames({ sheets, files }: StudyDocument): readonly string[] {
  return sheets ? [...FILES, ...SHEET_FILES] : [...FILES, ...sentNames(files)];
}

/** The name of prompts.jsonl where study.json states it. */
export function sentNames(files: StudyDocument["files"]): readonly string[] {
  return Object.hasOwn(files, PROMPTS) ? [PROMPTS] : [];
}

/** Numbers of configurations in the table, and of all that were planned. */
export function sizesOf(study: StudyDocument): [number, number] {
  return study.sheets
    ? [study.sheets.length, study.sheets.length]
    : [inTable(study).length, study.runs.length];
}
export type StudyRun = StudyDocument["runs"][number];

export function memberOf({ id }: StudyRun): string {
  return `runs/${id}.zip`;
}

/** Runs whose bundles the study contains. */
export function inTable({ runs }: StudyDocument): StudyRun[] {
  return runs.filter(({ run_digest }) => run_digest !== null);
}

/** Whether a zip begins with study.json. */
export function isStudy(data: Uint8Array): boolean {
  const name = String.fromCharCode(...data.subarray(LOCAL_HEADER, LOCAL_HEADER + FIRST_MEMBERS[0].length));
  return name === FIRST_MEMBERS[0];
}

/** Names of a study's members as its directory lists them. */
export function studyNames(data: Uint8Array): readonly string[] {
  const names = listedNames(data, FIRST_MEMBERS.length + PROOFS.length + 1 + MOST_RUNS);
  const isOfStudy = names && FIRST_MEMBERS.every((name, place) => names[place] === name);
  return isOfStudy ? names : FIRST_MEMBERS;
}

/** Name of the judge whose column is the primary metric; null where the design plans none. */
export function judgeOf({ design }: StudyDocument): string | null {
  const found = v.safeParse(v.object({ name: v.string() }), design.judge);
  return found.success ? found.output.name : null;
}
