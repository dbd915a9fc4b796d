/** study.json as a schema, and the names of a study's members: docs/study.md. */
import * as v from "valibot";
import type { Json } from "../canonical";
import { count, digest, mapOf, maybeText, real, text } from "../forms";
import { listedNames } from "../zip";

export const FILES = [
  "verdict.json",
  "table.csv",
  "methods.md",
  "CITATION.cff",
  "ro-crate-metadata.json",
] as const;
export const FIRST_MEMBERS = ["study.json", ...FILES, "entry.json"] as const;
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

export const studyForm = v.strictObject({
  format: v.literal("passer-study-1"),
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
    v.minLength(1),
    v.maxLength(MOST_RUNS),
    v.check((runs) => new Set(runs.map(({ id }) => id)).size === runs.length),
  ),
  others: v.array(other),
  registration: v.optional(registration),
  files: v.pipe(
    mapOf(digest),
    v.check(
      (files) =>
        Object.keys(files).length === FILES.length && FILES.every((name) => Object.hasOwn(files, name)),
    ),
  ),
});
export type StudyDocument = v.InferOutput<typeof studyForm>;
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
  const names = listedNames(data, FIRST_MEMBERS.length + MOST_RUNS);
  const isOfStudy = names && FIRST_MEMBERS.every((name, place) => names[place] === name);
  return isOfStudy ? names : FIRST_MEMBERS;
}

/** Name of the judge whose column is the primary metric; null where the design plans none. */
export function judgeOf({ design }: StudyDocument): string | null {
  const found = v.safeParse(v.object({ name: v.string() }), design.judge);
  return found.success ? found.output.name : null;
}
