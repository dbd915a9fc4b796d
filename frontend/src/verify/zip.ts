/** The one form of a bundle's zip: stored members and no byte that does not follow from their names and contents. */
import { type Bytes, encoded } from "./bytes";

const MEMBERS = ["manifest.json", "questions.jsonl", "scores.csv", "entry.json", "timings.jsonl"] as const;
/** Sixth member, where the run's sweep had a verdict when the bundle was written. */
export const VERDICT = "verdict.json";
/** What a ledger or a time stamp authority signed; each only where there was one. */
export const KEY = "ledger.key";
export const PROOF = "ledger.tlog-proof";
export const CHECKPOINT_STAMP = "checkpoint.tsr";
export const STAMP = "stamp.tsr";
export const PROOFS = [KEY, PROOF, CHECKPOINT_STAMP, STAMP] as const;
const OPTIONAL = [VERDICT, ...PROOFS];
/** Of a run's bundle. */
export type Members = Record<(typeof MEMBERS)[number], Bytes> & { [name: string]: Bytes | undefined };

export interface ReadZip {
  /** Null where the directory's sizes do not add up to the file's size. */
  members: Record<string, Bytes> | null;
  flaw: { why: "zip_members" | "zip_checksum" | "zip_header"; member: string | null } | null;
}

const LOCAL_SIZE = 30;
const CENTRAL_SIZE = 46;
const END_SIZE = 22;
/** Offsets in a central header. */
const CRC_AT = 16;
const SIZE_AT = 24;
const NAME_LENGTH_AT = 28;
const LONGEST_NAME = 100;
const LOCAL_SIGN = [0x50, 0x4b, 3, 4];
const CENTRAL_SIGN = [0x50, 0x4b, 1, 2];
const END_SIGN = [0x50, 0x4b, 5, 6];
const LONGEST_COMMENT = 65_535;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

export function crc32(data: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of data) value = (TABLE[(value ^ byte) & 0xff] as number) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

function holds(data: Uint8Array, at: number, bytes: ArrayLike<number>): boolean {
  return Array.from(bytes).every((byte, place) => data[at + place] === byte);
}

/** Whether it looks like a zip at all, however broken. */
export function isZip(data: Uint8Array): boolean {
  if (holds(data, 0, LOCAL_SIGN)) return true;
  for (let at = Math.max(0, data.length - END_SIZE - LONGEST_COMMENT); at + 4 <= data.length; at++) {
    if (holds(data, at, END_SIGN)) return true;
  }
  return false;
}

/**
 * Finds the members by the sizes in the directory, whose own size follows from their names, and compares every other
 * byte. Of several lists of names the first that fills the file counts.
 */
export function readZip(
  data: Bytes,
  candidates: readonly (readonly string[])[] = [...listedBundle(data), MEMBERS, [...MEMBERS, VERDICT]],
): ReadZip {
  let places: Place[] | null = null;
  for (const names of candidates) places ??= placesOf(data, names);
  if (!places) return { members: null, flaw: { why: "zip_members", member: null } };
  const members = Object.fromEntries(places.map(({ name, content }) => [name, content]));
  const changed = places.find(({ crc, content }) => crc !== crc32(content));
  if (changed) return { members, flaw: { why: "zip_checksum", member: changed.name } };
  const start = data.length - directorySize(places.map(({ name }) => name));
  const isSame = places.every((place) => holds(data, place.offset, localHeader(place)));
  if (isSame && holds(data, start, directory(places, start))) return { members, flaw: null };
  return { members, flaw: { why: "zip_header", member: null } };
}

/** The names in the directory if they are those of a run's bundle; else none. */
function listedBundle(data: Uint8Array): string[][] {
  const names = listedNames(data, MEMBERS.length + OPTIONAL.length) ?? [];
  const expected = [...MEMBERS, ...OPTIONAL.filter((name) => names.includes(name))];
  return names.join() === expected.join() ? [names] : [];
}

/** Names in the directory at the end of the file, at most so many; null where there is no such directory. */
export function listedNames(data: Uint8Array, most: number): string[] | null {
  const end = data.length - END_SIZE;
  if (end < 0 || !holds(data, end, END_SIGN)) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (count > most || at + view.getUint32(end + 12, true) !== end) return null;
  const names: string[] = [];
  for (let place = 0; place < count; place++) {
    if (at + CENTRAL_SIZE > end) return null;
    const length = view.getUint16(at + NAME_LENGTH_AT, true);
    const name = data.subarray(at + CENTRAL_SIZE, at + CENTRAL_SIZE + length);
    at += CENTRAL_SIZE + length;
    const isPlain = name.every((mark) => mark >= 0x21 && mark <= 0x7e);
    if (at > end || length === 0 || length > LONGEST_NAME || !isPlain) return null;
    names.push(String.fromCharCode(...name));
  }
  return at === end && new Set(names).size === names.length ? names : null;
}

interface Place {
  name: string;
  /** As the directory says. */
  crc: number;
  content: Bytes;
  /** Of its local header. */
  offset: number;
}

function directorySize(names: readonly string[]): number {
  return names.reduce((size, name) => size + CENTRAL_SIZE + name.length, END_SIZE);
}

/** The members one after the other; null where they do not end where the directory starts. */
function placesOf(data: Bytes, names: readonly string[]): Place[] | null {
  const start = data.length - directorySize(names);
  if (start < 0) return null;
  const view = new DataView(data.buffer, data.byteOffset);
  const places: Place[] = [];
  let [offset, at] = [0, start];
  for (const name of names) {
    const begin = offset + LOCAL_SIZE + name.length;
    const end = begin + view.getUint32(at + SIZE_AT, true);
    places.push({ name, crc: view.getUint32(at + CRC_AT, true), content: data.subarray(begin, end), offset });
    [offset, at] = [end, at + CENTRAL_SIZE + name.length];
  }
  return offset === start ? places : null;
}

/** Numbers of so many bytes each, little-endian. */
function numbers(size: 2 | 4, ...values: number[]): number[] {
  return values.flatMap((value) => Array.from({ length: size }, (_, byte) => (value >>> (8 * byte)) & 0xff));
}

/** Version, flags, method, time, date; checksum and sizes; lengths of name and extra field. */
function common({ name, crc, content }: Place): number[] {
  const { length } = content;
  return [
    ...numbers(2, 20, 0, 0, 0, 0x21),
    ...numbers(4, crc, length, length),
    ...numbers(2, name.length, 0),
  ];
}

function localHeader(place: Place): number[] {
  return [...LOCAL_SIGN, ...common(place), ...encoded(place.name)];
}

function directory(places: Place[], start: number): number[] {
  const headers = places.flatMap((place) => [
    ...CENTRAL_SIGN,
    ...numbers(2, 0x0314),
    ...common(place),
    ...numbers(2, 0, 0, 0),
    ...numbers(4, 0x81a40000, place.offset),
    ...encoded(place.name),
  ]);
  const count = places.length;
  const end = [...numbers(2, 0, 0, count, count), ...numbers(4, headers.length, start), ...numbers(2, 0)];
  return [...headers, ...END_SIGN, ...end];
}
