/** The members of a bundle, read strictly, with everything that is wrong. */
import { type Bytes, decoded, decodedSomehow, digestOf, hex } from "./bytes";
import { type Flaw, type Json, readCanonical } from "./canonical";
import type { Form } from "./form";
import { type QuestionRecord, questionForm, type TimingRecord, timingForm } from "./forms";
import { leafOf, rootOf } from "./merkle";
import type { Wrong } from "./steps";

/** manifest.json or entry.json: its value, or the first thing that is wrong. */
export interface ReadDocument<T> {
  digest: string;
  /** Undefined where it is not canonical. */
  json: Json | undefined;
  /** Null where it has not the form. */
  value: T | null;
  wrong: Wrong | null;
}

export interface ReadRecords {
  /** Null where a line is broken. */
  records: (QuestionRecord | null)[];
  /** Of every line as it stands. */
  leaves: string[];
  root: string;
  wrong: Wrong[];
  /** All records; null where one is broken or in another's place. */
  whole: QuestionRecord[] | null;
}

export interface ReadTimings {
  timings: (TimingRecord | null)[];
  wrong: Wrong[];
  digest: string;
}

/** What scores.csv notes of a question. */
export interface NotedLeaf {
  id: string | null;
  leaf: string;
  /** Where its row begins. */
  offset: number;
}

/** Lets the page draw between many small pieces of work. */
export type Pause = () => Promise<void>;

const LINES_AT_ONCE = 200;
const LINE_FEED = 0x0a;
const BRACE = 0x7b;

/** `names` are those of the document's members, in order. */
export async function readDocument<T>(
  content: Bytes,
  form: Form,
  names: readonly string[],
): Promise<ReadDocument<T>> {
  const digest = await digestOf(content);
  const read = readCanonical(content);
  if ("flaw" in read) {
    const wrong = { why: read.flaw.why, field: fieldOf(content, read.flaw, form, names) };
    return { digest, json: undefined, value: null, wrong };
  }
  const misfit = form(read.value, "");
  if (misfit) {
    const wrong = { why: misfit.why, field: misfit.path || null };
    return { digest, json: read.value, value: null, wrong };
  }
  return { digest, json: read.value, value: read.value as T, wrong: null };
}

/** A changed name moves its member in the order, so that the form tells the place better. */
function fieldOf(content: Bytes, flaw: Flaw, form: Form, names: readonly string[]): string | null {
  try {
    const misfit = form(JSON.parse(decoded(content) ?? ""), "");
    if (misfit) return misfit.path || null;
  } catch {
    // No JSON at all: the first character that is wrong tells the place.
  }
  const isKnown = names.some((name) => flaw.path.startsWith(name));
  return (isKnown || content[0] !== BRACE ? flaw.path : names[flaw.before]) || null;
}

export async function readRecords(data: Bytes, pause: Pause): Promise<ReadRecords> {
  const records: (QuestionRecord | null)[] = [];
  const leaves: Bytes[] = [];
  const wrong: Wrong[] = [];
  const seen = new Set<string>();
  for (const { line, isEnded } of lines(data)) {
    const number = records.length;
    if (number % LINES_AT_ONCE === 0) await pause();
    leaves.push(await leafOf(line));
    const { value, flaw } = readLine<QuestionRecord>(line, questionForm, number);
    const problem = flaw ?? lineWrong(isEnded, number, value && seen.has(value.id) ? value.id : null);
    if (problem) wrong.push(problem);
    if (value) seen.add(value.id);
    records.push(value);
  }
  if (records.length === 0) wrong.push({ why: "no_record" });
  return {
    records,
    leaves: leaves.map(hex),
    root: hex(await rootOf(leaves)),
    wrong,
    whole: wrong.length === 0 ? (records as QuestionRecord[]) : null,
  };
}

function lineWrong(isEnded: boolean, number: number, twice: string | null): Wrong | null {
  if (twice !== null) return { why: "id_twice", facts: [twice], number };
  return isEnded ? null : { why: "not_ended", number };
}

export async function readTimings(data: Bytes, records: ReadRecords["records"]): Promise<ReadTimings> {
  const timings: (TimingRecord | null)[] = [];
  const wrong: Wrong[] = [];
  for (const { line, isEnded } of lines(data)) {
    const number = timings.length;
    const record = records[number];
    const { value, flaw } = readLine<TimingRecord>(line, timingForm, number);
    const isOther = value && record && value.id !== record.id;
    const problem = isOther ? ({ why: "other_question", number } as const) : flaw;
    const found = problem ?? lineWrong(isEnded, number, null);
    if (found) wrong.push(found);
    timings.push(value);
  }
  if (timings.length !== records.length) {
    const facts = [String(timings.length), String(records.length)];
    wrong.push({ why: "other_line_count", facts, number: Math.min(timings.length, records.length) });
  }
  return { timings, wrong, digest: await digestOf(data) };
}

function readLine<T extends { number: number }>(
  line: Bytes,
  form: Form,
  number: number,
): { value: T | null; flaw: Wrong | null } {
  const read = readCanonical(line);
  if ("flaw" in read) {
    return { value: null, flaw: { why: read.flaw.why, field: read.flaw.path || null, number } };
  }
  const misfit = form(read.value, "");
  if (misfit) return { value: null, flaw: { why: misfit.why, field: misfit.path || null, number } };
  const value = read.value as unknown as T;
  if (value.number === number) return { value, flaw: null };
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

const NOTED_ROW = /(?:^|\r\n)(\d{1,15}),("[^"]*(?:""[^"]*)*"|[^",\r\n]*),([0-9a-f]{64}),/g;

/** Ids and leaves as scores.csv notes them; only to name a question, so nothing is checked. */
export function readNoted(content: Bytes): Map<number, NotedLeaf> {
  // One character a byte, so that places are those of the bytes.
  const text = new TextDecoder("latin1").decode(content);
  const found = new Map<number, NotedLeaf>();
  for (const row of text.matchAll(NOTED_ROW)) {
    const [whole, number = "", cell = "", leaf = ""] = row;
    if (found.has(Number(number))) continue;
    const offset = row.index + (whole.startsWith("\r\n") ? 2 : 0);
    const start = offset + number.length + 1;
    const id = decodedSomehow(content.subarray(start, start + cell.length));
    found.set(Number(number), { id: idOfCell(id), leaf, offset });
  }
  return found;
}

function idOfCell(cell: string): string {
  const text = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}

/** A text as a cell of scores.csv: no formula, quoted where it has to be. */
export function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
