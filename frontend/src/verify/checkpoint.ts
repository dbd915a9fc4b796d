/** Signed checkpoints of a ledger and proofs against them: docs/ledger.md, with the forms of C2SP and RFC 9162. */
import { type Bytes, encoded, isSame, joined, sha256, unhexed } from "./bytes";
import { leafOf } from "./merkle";
import type { Failure } from "./steps";

const PROOF = "c2sp.org/tlog-proof@v1";
const ED25519 = 1;
const KEY_ID_BYTES = 4;
const HASH_BYTES = 32;
const LONGEST_PROOF = 63;
const MOST_SIGNATURES = 100;
const NUMBER = /^(0|[1-9]\d{0,17})$/;
const NODE = new Uint8Array([1]);

interface LedgerKey {
  name: string;
  id: Bytes;
  public: Bytes;
}

interface InclusionProof {
  /** Number of the row, from 0. */
  index: bigint;
  hashes: Bytes[];
  /** The signed checkpoint. */
  note: string;
}

export interface Head {
  origin: string;
  size: bigint;
  root: Bytes;
}

function isKeyName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name has no control characters
  return name !== "" && !/[+\s\u0000-\u001f\u0085]/.test(name);
}

/** The bytes of canonical base64; null where it is none. */
function unbased(text: string): Bytes | null {
  try {
    const found = Uint8Array.from(atob(text), (mark) => mark.charCodeAt(0));
    return btoa(String.fromCharCode(...found)) === text ? found : null;
  } catch {
    return null;
  }
}

/** A verifier key and its line break, as the member has it; null where it is none. */
export async function keyOf(text: string): Promise<LedgerKey | null> {
  const found = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)\n$/.exec(text);
  const [, name = "", id = "", encodedKey = ""] = found ?? [];
  const key = unbased(encodedKey);
  if (!found || !key || !isKeyName(name) || key.length !== HASH_BYTES + 1 || key[0] !== ED25519) return null;
  const own = (await sha256(joined(encoded(`${name}\n`), key))).subarray(0, KEY_ID_BYTES);
  return isSame(own, unhexed(id)) ? { name, id: own, public: key.slice(1) } : null;
}

/** A proof as PaSSER writes it; null where it has another form. */
export function proofOf(text: string): InclusionProof | null {
  const end = text.indexOf("\n\n");
  const [first, second = "", ...lines] = text.slice(0, end).split("\n");
  const index = /^index (.*)$/.exec(second)?.[1] ?? "";
  const hashes = lines.map(unbased);
  const isForm = end >= 0 && first === PROOF && NUMBER.test(index) && lines.length <= LONGEST_PROOF;
  if (!isForm || hashes.some((hash) => hash?.length !== HASH_BYTES)) return null;
  return { index: BigInt(index), hashes: hashes as Bytes[], note: text.slice(end + 2) };
}

/** The checkpoint in a note, and whether the key signed it: null where this browser does not know Ed25519. */
export async function headOf(
  note: string,
  key: LedgerKey,
): Promise<{ head: Head; isSigned: boolean | null } | Failure> {
  const start = note.lastIndexOf("\n\n— ");
  if (start < 0 || !note.endsWith("\n")) return "no_checkpoint";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a note has no control characters but line breaks
  if (/[\u0000-\u0009\u000b-\u001f]/.test(note)) return "no_checkpoint";
  const text = note.slice(0, start + 1);
  const lines = note.slice(start + 2, -1).split("\n");
  const signatures = lines.map(signatureOf);
  if (lines.length > MOST_SIGNATURES || signatures.some((each) => each === null)) return "no_checkpoint";
  const own = signatures.filter((each) => each?.name === key.name && isSame(each.id, key.id));
  const [signature] = own;
  if (!signature || own.length > 1) return "other_key";
  const [origin = "", size = "", root = "", ...rest] = text.split("\n");
  const decodedRoot = unbased(root);
  const isForm = rest.length > 0 && rest.slice(0, -1).every(Boolean) && NUMBER.test(size);
  if (!isForm || decodedRoot?.length !== HASH_BYTES || origin !== key.name) return "no_checkpoint";
  const isSigned = await isSignedBy(key, signature.signature, encoded(text));
  return { head: { origin, size: BigInt(size), root: decodedRoot }, isSigned };
}

function signatureOf(line: string): { name: string; id: Bytes; signature: Bytes } | null {
  const [dash, name = "", ...rest] = line.split(" ");
  const content = unbased(rest.join(" "));
  if (dash !== "—" || !isKeyName(name) || !content || content.length <= KEY_ID_BYTES) return null;
  return { name, id: content.slice(0, KEY_ID_BYTES), signature: content.slice(KEY_ID_BYTES) };
}

async function isSignedBy(key: LedgerKey, signature: Bytes, message: Bytes): Promise<boolean | null> {
  const { subtle } = globalThis.crypto;
  try {
    const imported = await subtle.importKey("raw", key.public, { name: "Ed25519" }, false, ["verify"]);
    return await subtle.verify({ name: "Ed25519" }, imported, signature, message);
  } catch (error) {
    return error instanceof DOMException && error.name === "NotSupportedError" ? null : false;
  }
}

/** Whether a proof leads from a row to the root (RFC 9162, 2.1.3.2). */
export async function isIncluded(digest: string, proof: InclusionProof, head: Head): Promise<boolean> {
  if (proof.index >= head.size) return false;
  let [place, last] = [proof.index, head.size - 1n];
  let found = await leafOf(unhexed(digest));
  for (const sibling of proof.hashes) {
    if (last === 0n) return false;
    if (place % 2n === 1n || place === last) {
      found = await sha256(joined(NODE, sibling, found));
      while (place % 2n === 0n && place > 0n) [place, last] = [place / 2n, last / 2n];
    } else found = await sha256(joined(NODE, found, sibling));
    [place, last] = [place / 2n, last / 2n];
  }
  return last === 0n && isSame(found, head.root);
}
