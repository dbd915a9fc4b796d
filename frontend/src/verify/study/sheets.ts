/** The rows of imported result sheets in a study, as the facts of runs: docs/study.md. */
import * as v from "valibot";
import type { Bytes } from "../bytes";
import { COLUMNS, count, type Manifest, mapOf, maybeReal, type Scores, text } from "../forms";
import { readDocument } from "../members";
import { failAt, type Subject } from "../reading";
import type { Violation } from "../steps";
import { PROOFS } from "../zip";
import { FIRST_MEMBERS, ROWS, SHEET_FILES, type StudyDocument, type StudySheet } from "./form";
import { shortest } from "./labels";
import type { Item, RunFacts } from "./runs";

const LONGEST_ID = 200;
const LINE_FEED = 0x0a;
/** How far a stored F may be from the one made again. */
const ROUNDING = 1e-8;
/** A cosine of equal vectors may exceed 1 by rounding. */
const SLACK = 1e-6;
/** Where a sheet with shifted labels keeps each column. */
const SHIFTED: Record<string, string> = {
  BLEU: "Rouge-1.r",
  "Rouge-1.r": "Rouge-1.p",
  "Rouge-1.p": "Rouge-1.f",
  "Rouge-1.f": "Rouge-2.r",
  "Rouge-2.r": "Rouge-2.p",
  "Rouge-2.p": "Rouge-2.f",
  "Rouge-2.f": "Rouge-l.r",
  "Rouge-l.r": "Rouge-l.p",
  "Rouge-l.p": "Rouge-l.f",
  "Rouge-l.f": "BLEU",
};
/** What a metric can be, where that is not 0 to 1. */
const RANGES: Record<string, readonly [number, number]> = {
  "Laplace Perplexity": [1, Number.POSITIVE_INFINITY],
  "Lidstone Perplexity": [1, Number.POSITIVE_INFINITY],
  "Cosine similarity": [-1, 1],
  "Pearson correlation": [-1, 1],
  "Bert-Score.precision": [-1, 1],
  "Bert-Score.recall": [-1, 1],
  "Bert-Score.f1": [-1, 1],
  "B-RT.coherence": [0, 5],
  "B-RT.fluency": [0, 5],
  "B-RT.consistency": [-5, 5],
  "B-RT.relevance": [-5, 5],
  "B-RT.average": [-2.5, 5],
};
/** Without a dot between optional digits, which would be tried at every place of a long path. */
const NUMBER = String.raw`\d+(?:\.\d+)?|\.\d+`;
const WORD = "baseline|hierarchical|collaborative|competitive";
const CONFIGURATION = new RegExp(
  `^(?:(?:threshold[_-])?(${NUMBER})|(?:(?:threshold|strategy)[_-])?(${WORD}))$`,
  "i",
);
const MODEL_AND_CONFIGURATION = new RegExp(`^([^/]+)-(${WORD}|${NUMBER})$`, "i");
/** What the published study called the configuration without a threshold. */
const BASELINE = 0.01;

const rowForm = v.strictObject({
  sheet: count,
  row: count,
  id: v.pipe(
    text,
    v.check((id) => id !== "" && [...id].length <= LONGEST_ID),
  ),
  question: text,
  answer: text,
  values: mapOf(maybeReal),
});
type Row = v.InferOutput<typeof rowForm>;

/** Adds the steps `runs`, `dataset`, `rescored` and `design`; null where no table follows from the rows. */
export function checkSheets(
  subject: Subject,
  study: StudyDocument,
  members: Readonly<Record<string, Bytes>>,
  counted: { questions: number },
): RunFacts[] | null {
  const { steps } = subject;
  const sheets = study.sheets ?? [];
  counted.questions = sheets.reduce((sum, { rows }) => sum + rows, 0);
  const held = Object.keys(members).slice(FIRST_MEMBERS.length);
  const expected: string[] = [...PROOFS.filter((name) => name in members), ...SHEET_FILES];
  let rows: Row[][] | null = null;
  if (held.join() !== expected.join()) {
    const other = [...expected, ...held].find((name) => expected.includes(name) !== held.includes(name));
    steps.failed("runs", { why: "other_sheet_members" }, { member: other ?? "study.json" });
  } else {
    const read = readRows(members[ROWS] as Bytes, sheets, study.texts === undefined);
    if (Array.isArray(read)) rows = read;
    if (Array.isArray(read)) steps.passed("runs", String(sheets.length), String(counted.questions));
    else failAt(subject, "runs", ROWS, read);
  }
  for (const name of ["dataset", "rescored"] as const) steps.skipped(name, "sheets_alone");
  if (!rows) {
    steps.skipped("design", "rows_broken");
    return null;
  }
  const wrong = designWrong(study, sheets, rows);
  if (wrong) failAt(subject, "design", "study.json", wrong);
  else steps.passed("design");
  return wrong ? null : sheets.map((sheet, place) => factsOf(sheet, rows[place] ?? []));
}

function hasColumns({ values }: Row, sheet: StudySheet | undefined): boolean {
  const columns = new Set<string>(sheet?.columns);
  const labels = Object.keys(values);
  return labels.length === columns.size && labels.every((label) => columns.has(label));
}

/** Why a row cannot follow the one before it; `ids` are those of the texts so far, null without texts. */
function misplaced(row: Row, before: Row | undefined, ids: Map<string, string> | null): Violation | null {
  if (before && before.row >= row.row) return { why: "row_order" };
  if (!ids) return row.question || row.answer ? { why: "sheet_texts" } : null;
  if ((ids.get(row.question) ?? row.id) !== row.id) return { why: "other_id", field: "id" };
  ids.set(row.question, row.id);
  return null;
}

/** The rows of each sheet, or the first problem. */
function readRows(data: Bytes, sheets: StudySheet[], hasTexts: boolean): Row[][] | Violation {
  const found: Row[][] = sheets.map(() => []);
  const ids = new Map<string, string>();
  let [start, number, at] = [0, 0, 0];
  if (data.length > 0 && data.at(-1) !== LINE_FEED) {
    return { why: "not_ended", number: data.filter((byte) => byte === LINE_FEED).length };
  }
  while (start < data.length) {
    const end = data.indexOf(LINE_FEED, start);
    const read = readDocument(rowForm, data.subarray(start, end) as Bytes);
    const row = read.value;
    if (!row) return { ...(read.wrong ?? { why: "not_of_form" }), number };
    const own = found[row.sheet];
    if (!own || row.sheet < at || !hasColumns(row, sheets[row.sheet])) {
      return { why: "other_sheet_row", number };
    }
    at = row.sheet;
    const wrong = misplaced(row, own.at(-1), hasTexts ? ids : null);
    if (wrong) return { ...wrong, number };
    own.push(row);
    [start, number] = [end + 1, number + 1];
  }
  const other = found.findIndex((rows, place) => rows.length !== sheets[place]?.rows);
  if (other < 0) return found;
  const facts = [String(found[other]?.length), sheets[other]?.path ?? ""];
  return { why: "other_sheet_rows", facts, field: `sheets[${other}].rows` };
}

/** What study.json states otherwise than the rows and the paths. */
function designWrong(study: StudyDocument, sheets: StudySheet[], rows: Row[][]): Violation | null {
  for (const [place, sheet] of sheets.entries()) {
    const order = orderOf(sheet, rows[place] ?? []);
    if (order === "unclear" || order !== sheet.labels) {
      return { why: "other_labels", field: `sheets[${place}].labels` };
    }
  }
  if (study.dataset.questions !== new Set(rows.flat().map(({ id }) => id)).size) {
    return { why: "other_question_count", field: "dataset.questions" };
  }
  const places = sheets.map(({ path }) => placeOf(path));
  const other = sheets.findIndex(({ name, is_baseline }, at) => {
    const place = places[at];
    return place?.name !== name || place.isBaseline !== is_baseline;
  });
  if (other >= 0) return { why: "other_configuration", field: `sheets[${other}].name` };
  const models = new Map(sheets.map(({ model }, at) => [places[at]?.model, model]));
  const isSame = sheets.every(({ model }, at) => models.get(places[at]?.model) === model);
  const isOne = new Set(models.values()).size === models.size;
  return isSame && isOne ? null : { why: "shared_model", field: "sheets" };
}

/** Which order of labels the numbers show: F(p, r) = 2pr / (p + r + 1e-8). */
function orderOf({ columns }: StudySheet, rows: Row[]): StudySheet["labels"] {
  const needed = ["Rouge-1.r", "Rouge-1.p", "Rouge-1.f", "Rouge-2.r"] as const;
  if (rows.length === 0 || !needed.every((name) => columns.includes(name))) return "unclear";
  const whole = rows.flatMap(({ values }) => {
    const own = needed.map((name) => values[name] ?? null);
    return own.every((value) => value !== null) ? [own as [number, number, number, number]] : [];
  });
  const f = (p: number, r: number) => (2 * p * r) / (p + r + 1e-8);
  const isShifted = whole.every(
    ([, second, third, fourth]) => Math.abs(f(second, third) - fourth) <= ROUNDING,
  );
  const isRight = whole.every(([first, second, third]) => Math.abs(f(first, second) - third) <= ROUNDING);
  if (whole.length === 0 || isShifted === isRight) return "unclear";
  return isShifted ? "shifted" : "right";
}

/** Model and configuration that a path names; null where it names none. */
function placeOf(path: string): { model: string; name: string; isBaseline: boolean } | null {
  const parts = path.split("/");
  const name = parts.at(-1) ?? "";
  const dot = name.lastIndexOf(".");
  const stem = dot > 0 && dot < name.length - 1 ? name.slice(0, dot) : name;
  const inName = parts.length === 1 ? MODEL_AND_CONFIGURATION.exec(stem) : null;
  const inParts = CONFIGURATION.exec(parts.length === 3 ? (parts[1] ?? "") : stem);
  const found = parts.length === 1 ? inName?.[2] : (inParts?.[1] ?? inParts?.[2]);
  if (found === undefined) return null;
  const model = inName?.[1] ?? parts[0] ?? "";
  const threshold = Number(found);
  if (Number.isNaN(threshold)) {
    return { model, name: found.toLowerCase(), isBaseline: found.toLowerCase() === "baseline" };
  }
  if (threshold > 1) return null;
  const isBaseline = threshold === BASELINE;
  return { model, name: isBaseline ? "baseline" : `threshold ${shortest(threshold)}`, isBaseline };
}

/** A sheet as a run: nothing is known of it but its scores, so that its place stands for its configuration. */
function factsOf(sheet: StudySheet, rows: Row[]): RunFacts {
  const { id, name, model, is_baseline, digest } = sheet;
  const config = { model: { name: model }, options: { seed: 0 }, repeat: 1, retrieval: id, prompt: "" };
  return {
    run: { id, name, is_baseline, state: "finished", reason: null, config_digest: digest, run_digest: null },
    manifest: { config } as unknown as Manifest,
    runDigest: null,
    asked: [],
    hasTexts: true,
    rows: [],
    items: rows.map((row) => itemOf(sheet, row)),
    judged: new Map(),
  };
}

/** The true columns, without numbers that their metric cannot have. */
function itemOf({ labels }: StudySheet, { id, values }: Row): Item {
  const scores: Scores = {};
  const missing: Record<string, string> = {};
  for (const column of COLUMNS) {
    const label = labels === "shifted" ? (SHIFTED[column] ?? column) : column;
    const value = values[label] ?? null;
    const [low, high] = RANGES[column] ?? [0, 1];
    const isPossible = value !== null && value >= low - SLACK && value <= high + SLACK;
    scores[column] = isPossible ? value : null;
    if (!isPossible) missing[column] = "not_requested";
  }
  const unknown = { passages: null, prompt: null, tokens: null, made: null, seconds: null };
  return { id, state: "scored", scores, missing, ...unknown };
}
