/** The members of a bundle as they were read, and how a step fails at one of them. */
import { type Bytes, digestOf } from "./bytes";
import { canonical } from "./canonical";
import {
  DOCUMENT_NAMES,
  documentForm,
  type EntryDocument,
  MANIFEST_NAMES,
  type Manifest,
  manifestForm,
} from "./forms";
import {
  type NotedLeaf,
  type Pause,
  type ReadDocument,
  type ReadRecords,
  type ReadTimings,
  readDocument,
  readNoted,
  readRecords,
  readTimings,
} from "./members";
import { type StepName, Steps, type Wrong } from "./steps";
import { type Member, type ReadZip, readZip } from "./zip";

const SEAL_DIGITS = 16;
const NOTHING: Bytes = new Uint8Array();

export async function sealOf(value: unknown): Promise<string> {
  return (await digestOf(canonical(value))).slice(0, SEAL_DIGITS);
}

/** The members of a bundle as they were read, and the steps so far. */
export interface Bundle {
  steps: Steps;
  zip: ReadZip;
  manifest: ReadDocument<Manifest> | null;
  entry: ReadDocument<EntryDocument> | null;
  records: ReadRecords;
  timings: ReadTimings;
  noted: Map<number, NotedLeaf>;
  /** Whether the seals of the manifest have their own seal. */
  isSealed: boolean;
  /** Members of manifest.json that do not have the seal in entry.json; none where the seals do not hold. */
  changed: string[];
}

export async function readBundle(data: Bytes, pause: Pause): Promise<Bundle> {
  const zip = readZip(data);
  const { members } = zip;
  const [manifest, entry] = await Promise.all([
    members["manifest.json"]
      ? readDocument<Manifest>(members["manifest.json"], manifestForm, MANIFEST_NAMES)
      : null,
    members["entry.json"]
      ? readDocument<EntryDocument>(members["entry.json"], documentForm, DOCUMENT_NAMES)
      : null,
  ]);
  const records = await readRecords(members["questions.jsonl"] ?? NOTHING, pause);
  const timings = await readTimings(members["timings.jsonl"] ?? NOTHING, records.records);
  const noted = readNoted(members["scores.csv"] ?? NOTHING);
  const document = entry?.value ?? null;
  const isSealed = document !== null && (await sealOf(document.manifest)) === document.seals.manifest;
  const changed = isSealed ? await changedMembers(manifest, document.manifest) : [];
  return { steps: new Steps(), zip, manifest, entry, records, timings, noted, isSealed, changed };
}

async function changedMembers(
  manifest: ReadDocument<Manifest> | null,
  seals: Record<string, string>,
): Promise<string[]> {
  const value = manifest?.json;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const changed: string[] = [];
  for (const name of [...new Set([...Object.keys(value), ...Object.keys(seals)])].sort()) {
    if (!Object.hasOwn(value, name) || seals[name] !== (await sealOf(value[name]))) changed.push(name);
  }
  return changed;
}

/** Id of a question: as its record has it where that is the right one, else as most members have it. */
export function nameOf(bundle: Bundle, number: number | null | undefined): string | null {
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
export function failAt(bundle: Bundle, name: StepName, member: Member | null, wrong: Wrong, more = 0): void {
  bundle.steps.failed(name, wrong, { member, question: nameOf(bundle, wrong.number), more });
}
