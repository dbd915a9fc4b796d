/** The members of a bundle as they were read, and how a step fails at one of them. */
import { type Bytes, digestOf } from "./bytes";
import { canonical } from "./canonical";
import { documentForm, type EntryDocument, type Manifest, manifestForm, type QuestionRecord } from "./forms";
import {
  type Pause,
  type ReadDocument,
  type ReadRecords,
  type ReadTimings,
  readDocument,
  readNoted,
  readRecords,
  readTimings,
  type StatedLeaf,
} from "./members";
import { Plausibility } from "./plausibility";
import { proofsAmong } from "./proofs-check";
import type { StepName, Steps, Violation } from "./steps";
import type { Members } from "./zip";

const SEAL_DIGITS = 16;

export async function sealOf(value: unknown): Promise<string> {
  return (await digestOf(canonical(value))).slice(0, SEAL_DIGITS);
}

/** Members of a file that others signed. */
export interface Proofs {
  /** By name, those that the file has. */
  members: ReadonlyMap<string, Bytes>;
  /** Name of the member whose digest is recorded and stamped. */
  subject: string;
  /** That member. */
  content: Bytes;
}

/** What is verified, a run's bundle or a study: its steps so far and its rows of the ledger. */
export interface Subject {
  steps: Steps;
  entry: ReadDocument<EntryDocument>;
  /** What others signed. */
  proofs: Proofs;
  /** Questions that have a row in entry.json, if questions are recorded. */
  questions: number;
  /** Id of a question, if it is known. */
  nameOf: (number: number | null | undefined) => string | null;
}

/** The members of a bundle as they were read, and the steps so far. */
export interface Bundle extends Subject {
  scores: Bytes;
  manifest: ReadDocument<Manifest>;
  /** SHA-256 of manifest.json. */
  runDigest: string;
  records: ReadRecords;
  timings: ReadTimings;
  /** What saw the records; null where the manifest cannot be read. */
  seeing: { dataset: DatasetCheck; plausibility: Plausibility } | null;
  noted: Map<number, StatedLeaf>;
  /** Members of manifest.json without the seal in entry.json; empty where the seals themselves were changed. */
  changed: string[];
}

/** `see` is called with each record that can be read, in order. */
export async function readBundle(
  members: Members,
  steps: Steps,
  pause: Pause,
  see: (record: QuestionRecord) => void = () => {},
): Promise<Bundle> {
  const manifest = readDocument(manifestForm, members["manifest.json"]);
  const entry = readDocument(documentForm, members["entry.json"]);
  const seeing = manifest.value && {
    dataset: new DatasetCheck(manifest.value.dataset),
    plausibility: new Plausibility(manifest.value),
  };
  const records = await readRecords(members["questions.jsonl"], pause, (record) => {
    seeing?.dataset.see(record);
    seeing?.plausibility.see(record);
    see(record);
  });
  const timings = await readTimings(members["timings.jsonl"], records.records);
  const scores = members["scores.csv"];
  const runDigest = await digestOf(members["manifest.json"]);
  const changed = await changedMembers(manifest.json, entry.value);
  const noted = readNoted(scores);
  const questions = records.records.length;
  const parts = {
    steps,
    scores,
    manifest,
    runDigest,
    entry,
    records,
    timings,
    seeing,
    noted,
    changed,
    questions,
    proofs: proofsAmong(members, "manifest.json"),
  };
  return { ...parts, nameOf: (number) => nameOf(parts, number) };
}

/** Members of a sealed document without the seal in entry.json; none where the seals themselves were changed. */
export async function changedMembers(json: unknown, entry: EntryDocument | null): Promise<string[]> {
  if (!entry || typeof json !== "object" || json === null || Array.isArray(json)) return [];
  if ((await sealOf(entry.manifest)) !== entry.seals.manifest) return [];
  const changed: string[] = [];
  for (const name of [...new Set([...Object.keys(json), ...Object.keys(entry.manifest)])].sort()) {
    const held = (json as Record<string, unknown>)[name];
    if (!Object.hasOwn(json, name) || entry.manifest[name] !== (await sealOf(held))) changed.push(name);
  }
  return changed;
}

/** Id of a question: as its record has it where that is the right one, else as most members have it. */
function nameOf(bundle: Omit<Bundle, "nameOf">, number: number | null | undefined): string | null {
  if (number === null || number === undefined) return null;
  const record = bundle.records.records[number];
  if (record && bundle.steps.outcome("root") === "pass") return record.id;
  const said = [bundle.noted.get(number)?.id, bundle.timings.timings[number]?.id, record?.id].filter(
    (id) => typeof id === "string",
  );
  const votes = (id: string) => said.filter((other) => other === id).length;
  return said.reduce<string | null>(
    (best, id) => (best === null || votes(id) > votes(best) ? id : best),
    null,
  );
}

/** A step failed there; the question is named where it is at one. */
export function failAt(
  subject: Subject,
  name: StepName,
  member: string | null,
  wrong: Violation,
  more = 0,
): void {
  subject.steps.failed(name, wrong, { member, question: subject.nameOf(wrong.number), more });
}

/** Sees the records in order, and says whether their questions are those of the dataset that the manifest states. */
class DatasetCheck {
  private readonly questions: string[] = [];

  constructor(private readonly dataset: Manifest["dataset"]) {}

  see({ id, question: text, reference, other_references }: QuestionRecord): void {
    const others = other_references ? { other_references } : {};
    this.questions.push(canonical({ gold_passages: [], id, reference, text, ...others }));
  }

  /** Whether the digest follows from the questions seen; it may cover gold passages too. */
  async follows(): Promise<boolean> {
    const language = canonical(this.dataset.language);
    const whole = `{"language":${language},"questions":[${this.questions.join(",")}]}`;
    return (await digestOf(whole)) === this.dataset.digest;
  }
}
