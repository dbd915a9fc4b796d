/** The one form of a bundle's zip: stored members, constant date, no byte that does not follow from the contents. */
import { type Bytes, encoded, isSame, joined } from "./bytes";

export const MEMBERS = [
  "manifest.json",
  "questions.jsonl",
  "scores.csv",
  "entry.json",
  "timings.jsonl",
] as const;
export type Member = (typeof MEMBERS)[number];

export type ZipFlaw = { why: "zip_place" | "zip_header" | "zip_directory"; member: Member | null };

export interface ReadZip {
  members: Partial<Record<Member, Bytes>>;
  flaws: ZipFlaw[];
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const LOCAL_SIZE = 30;
const CENTRAL_SIZE = 46;
const END_SIZE = 22;
const LONGEST_COMMENT = 65_535;
const VERSION = 20;
const MADE_BY = 0x0314;
const DATE = 0x0021;
const ATTRIBUTES = 0x81a40000;

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

/** Numbers one after the other, little-endian: each with its bytes. */
function packed(...numbers: [size: 2 | 4, value: number][]): Bytes {
  const data = new Uint8Array(numbers.reduce((whole, [size]) => whole + size, 0));
  const view = new DataView(data.buffer);
  let at = 0;
  for (const [size, value] of numbers) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return data;
}

interface Place {
  name: Member;
  crc: number;
  size: number;
  /** Of its local header. */
  offset: number;
}

/** What both headers of a member say: version, flags, method, time, date, checksum, sizes, length of the name. */
function common({ name, crc, size }: Place): Bytes {
  return packed(
    [2, VERSION],
    [2, 0],
    [2, 0],
    [2, 0],
    [2, DATE],
    [4, crc],
    [4, size],
    [4, size],
    [2, name.length],
    [2, 0],
  );
}

function localHeader(place: Place): Bytes {
  return joined(packed([4, LOCAL]), common(place), encoded(place.name));
}

function centralHeader(place: Place): Bytes {
  const start = packed([4, CENTRAL], [2, MADE_BY]);
  const end = packed([2, 0], [2, 0], [2, 0], [4, ATTRIBUTES], [4, place.offset]);
  return joined(start, common(place), end, encoded(place.name));
}

function directory(places: Place[], start: number): Bytes {
  const headers = joined(...places.map(centralHeader));
  const count = places.length;
  return joined(
    headers,
    packed([4, END], [2, 0], [2, 0], [2, count], [2, count], [4, headers.length], [4, start], [2, 0]),
  );
}

function signAt(data: Uint8Array, at: number): number {
  const [one = 0, two = 0, three = 0, four = 0] = data.subarray(at, at + 4);
  return at + 4 <= data.length ? one | (two << 8) | (three << 16) | (four << 24) : 0;
}

/** Whether it looks like a zip at all, however broken. */
export function isZip(data: Uint8Array): boolean {
  if (signAt(data, 0) === LOCAL) return true;
  for (let at = Math.max(0, data.length - END_SIZE - LONGEST_COMMENT); at + 4 <= data.length; at++) {
    if (signAt(data, at) === END) return true;
  }
  return false;
}

/** Find the members, believing no more of the headers than has to be believed. */
export function readZip(data: Bytes): ReadZip {
  const found: ReadZip = { members: {}, flaws: [] };
  const places: Place[] = [];
  let offset = 0;
  for (const [number, name] of MEMBERS.entries()) {
    const size = sizeOf(data, offset, number);
    if (size === null) {
      found.flaws.push({ why: "zip_place", member: name });
      return found;
    }
    const start = offset + LOCAL_SIZE + name.length;
    const content = data.subarray(start, start + size);
    const place = { name, crc: crc32(content), size, offset };
    if (!isSame(data.subarray(offset, start), localHeader(place))) {
      found.flaws.push({ why: "zip_header", member: name });
    }
    found.members[name] = content;
    places.push(place);
    offset = start + size;
  }
  if (!isSame(data.subarray(offset), directory(places, offset))) {
    found.flaws.push({ why: "zip_directory", member: null });
  }
  return found;
}

/** Size of the member whose header begins there: the one of its two sizes behind which the next thing begins. */
function sizeOf(data: Bytes, offset: number, number: number): number | null {
  if (offset + LOCAL_SIZE > data.length) return null;
  const view = new DataView(data.buffer, data.byteOffset + offset, LOCAL_SIZE);
  const start = offset + LOCAL_SIZE + (MEMBERS[number] as Member).length;
  for (const size of [view.getUint32(18, true), view.getUint32(22, true)]) {
    if (start + size <= data.length && begins(data, start + size, number + 1)) return size;
  }
  return null;
}

/** Whether the member of that number, or the directory, begins there; its sign or its name is enough. */
function begins(data: Bytes, offset: number, number: number): boolean {
  const isDirectory = number === MEMBERS.length;
  const name = encoded(MEMBERS[isDirectory ? 0 : number] as Member);
  const at = offset + (isDirectory ? CENTRAL_SIZE : LOCAL_SIZE);
  if (signAt(data, offset) === (isDirectory ? CENTRAL : LOCAL)) return true;
  return isSame(data.subarray(at, at + name.length), name);
}
