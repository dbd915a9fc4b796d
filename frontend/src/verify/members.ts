/** The members of a bundle, read strictly, with every problem. */
import * as v from "valibot";
import { type Bytes, decodedSomehow, digestOf, hex, unhexed } from "./bytes";
import { type Json, readCanonical } from "./canonical";
import { type QuestionRecord, questionForm, type TimingRecord, timingForm } from "./forms";
import { leafOf, rootOf } from "./merkle";
import type { Violation } from "./steps";

/** A JSON document: its value, or the first problem. */
export interface ReadDocument<T> {
  /** Undefined where it is not canonical. */
  json: Json | undefined;
  /** Null where it does not fit the form. */
  value: T | null;
  wrong: Violation | null;
}

export interface ReadRecords {
  /** Null where a line is broken. */
  records: (QuestionRecord | null)[];
  /** Of every line as it stands. */
  leaves: string[];
  root: string;
  wrong: Violation[];
  /** All records; null where one is broken or in another's place. */
  whole: QuestionRecord[] | null;
  /** False where the first record has no texts; then no other has them. */
  hasTexts: boolean;
}

export interface ReadTimings {
  timings: (TimingRecord | null)[];
  wrong: Violation[];
  digest: string;
}

/** Id and leaf of a question in scores.csv. */
export interface StatedLeaf {
  id: string;
  leaf: string;
}

/** Lets the page draw between many small pieces of work. */
export type Pause = () => Promise<void>;

const LINES_AT_ONCE = 200;
/** Broken lines after which a member is read no further: memory is bounded by the records that hold. */
const MOST_WRONG = 1000;
const LINE_FEED = 0x0a;

/** Canonical, and with every member of the form and no other. */
export function readDocument<T>(form: v.GenericSchema<unknown, T>, content: Bytes): ReadDocument<T> {
  const read = readCanonical(content);
  if ("why" in read) return { json: undefined, value: null, wrong: { why: read.why } };
  const { value: json } = read;
  const parsed = v.safeParse(form, json, { abortEarly: true });
  if (parsed.success) return { json, value: parsed.output, wrong: null };
  return { json, value: null, wrong: { why: "not_of_form", field: pathOf(parsed.issues[0]) } };
}

/** A path such as `run.entry.results[3]`; null for the document itself. */
function pathOf({ path }: v.BaseIssue<unknown>): string | null {
  const parts = (path ?? []).map(({ key }) => (typeof key === "number" ? `[${key}]` : `.${key}`));
  return parts.join("").replace(/^\./, "") || null;
}

/** `see` is called with each record that can be read, in order. */
export async function readRecords(
  data: Bytes,
  pause: Pause,
  see: (record: QuestionRecord) => void = () => {},
): Promise<ReadRecords> {
  const records: (QuestionRecord | null)[] = [];
  const leaves: Bytes[] = [];
  const wrong: Violation[] = [];
  const seen = new Set<string>();
  let hasTexts: boolean | null = null;
  for (const { line, isEnded } of lines(data)) {
    const number = records.length;
    if (number % LINES_AT_ONCE === 0) await pause();
    const { value, flaw } = readLine(questionForm, line, number);
    leaves.push(await leafOfRecord(line, value));
    hasTexts ??= !value?.withheld;
    const twice = twiceIn(seen, value);
    const problem = flaw ?? textsWrong(value, hasTexts, number) ?? lineWrong(isEnded, number, twice);
    if (problem) wrong.push(problem);
    if (value) {
      seen.add(value.id);
      see(value);
    }
    records.push(value);
    if (wrong.length === MOST_WRONG) break;
  }
  if (records.length === 0) wrong.push({ why: "no_record" });
  return {
    records,
    leaves: leaves.map(hex),
    root: hex(await rootOf(leaves)),
    wrong,
    whole: wrong.length === 0 ? (records as QuestionRecord[]) : null,
    hasTexts: hasTexts ?? true,
  };
}

function twiceIn(seen: ReadonlySet<string>, record: QuestionRecord | null): string | null {
  return record && seen.has(record.id) ? record.id : null;
}

/** As stated where the texts are withheld. */
async function leafOfRecord(line: Bytes, record: QuestionRecord | null): Promise<Bytes> {
  return record?.withheld ? unhexed(record.withheld.leaf) : leafOf(line);
}

function textsWrong(record: QuestionRecord | null, hasTexts: boolean, number: number): Violation | null {
  const isOther = record && hasTexts === (record.withheld !== undefined);
  return isOther ? { why: "some_texts", field: "withheld", number } : null;
}

function lineWrong(isEnded: boolean, number: number, twice: string | null): Violation | null {
  if (twice !== null) return { why: "id_twice", facts: [twice], number };
  return isEnded ? null : { why: "not_ended", number };
}

export async function readTimings(data: Bytes, records: ReadRecords["records"]): Promise<ReadTimings> {
  const timings: (TimingRecord | null)[] = [];
  const wrong: Violation[] = [];
  for (const { line, isEnded } of lines(data)) {
    const number = timings.length;
    const record = records[number];
    const { value, flaw } = readLine(timingForm, line, number);
    const isOther = value && record && value.id !== record.id;
    const problem = isOther ? ({ why: "other_question", number } as const) : flaw;
    const found = problem ?? lineWrong(isEnded, number, null);
    if (found) wrong.push(found);
    timings.push(value);
    if (wrong.length === MOST_WRONG) break;
  }
  if (timings.length !== records.length) {
    const facts = [String(timings.length), String(records.length)];
    wrong.push({ why: "other_line_count", facts, number: Math.min(timings.length, records.length) });
  }
  return { timings, wrong, digest: await digestOf(data) };
}

function readLine<T extends { number: number }>(
  form: v.GenericSchema<unknown, T>,
  line: Bytes,
  number: number,
): { value: T | null; flaw: Violation | null } {
  const { value, wrong } = readDocument(form, line);
  if (wrong) return { value: null, flaw: { ...wrong, number } };
  if (!value || value.number === number) return { value, flaw: null };
  return { value, flaw: { why: "other_number", facts: [String(value.number)], field: "number", number } };
}

/** Lines without their breaks, and whether each had one. */
function* lines(data: Bytes): Generator<{ line: Bytes; isEnded: boolean }> {
  let start = 0;
  while (start < data.length) {
    const end = data.indexOf(LINE_FEED, start);
    const isEnded = end >= 0;
    yield { line: data.subarray(start, isEnded ? end : data.length), isEnded };
    start = isEnded ? end + 1 : data.length;
  }
}

const NOTED_ROW = /(?:^|\r\n)([0-9]{1,15}),(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*)),([0-9a-f]{64}),/g;

/** Ids and leaves by number as scores.csv has them; used to name a question, so nothing is checked. */
export function readNoted(content: Bytes): Map<number, StatedLeaf> {
  const found = new Map<number, StatedLeaf>();
  for (const [, number, quoted, plain = "", leaf = ""] of decodedSomehow(content).matchAll(NOTED_ROW)) {
    const cell = quoted?.replaceAll('""', '"') || plain;
    const id = /^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
    if (!found.has(Number(number))) found.set(Number(number), { id, leaf });
  }
  return found;
}

/** A text as a cell of scores.csv: no formula, quoted where it has to be. */
export function csvCell(text: string): string {
  return csvQuoted(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
}

/** A cell of a CSV (RFC 4180), quoted only where it has to be. */
export function csvQuoted(cell: string): string {
  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
