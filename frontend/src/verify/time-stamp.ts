/**
 * A time stamp (RFC 3161) by itself: of what, when, by whom, and whether its own certificate signed it. A browser has no
 * list of authorities to compare that certificate with.
 */
import { type Bytes, decodedSomehow, isSame, joined } from "./bytes";
import {
  FIRST,
  given,
  INTEGER,
  type Node,
  NotDer,
  OBJECT,
  OCTETS,
  readDer,
  SEQUENCE,
  SET,
  TIME,
} from "./der";
import type { Failure } from "./steps";

/** Granted, and granted with modifications (RFC 3161, 2.4.2). */
const GRANTED = ["00", "01"];
const SIGNED_DATA = "2a864886f70d010702";
const TST_INFO = "2a864886f70d0109100104";
const CONTENT_TYPE = "2a864886f70d010903";
const MESSAGE_DIGEST = "2a864886f70d010904";
/** Attributes that name the signer's certificate, with the hash that each has by default. */
const SIGNING_CERTIFICATES = [
  ["2a864886f70d010910022f", "SHA-256"],
  ["2a864886f70d010910020c", "SHA-1"],
] as const;
const COMMON_NAME = "550403";
const HASHES: Record<string, string> = {
  "608648016503040201": "SHA-256",
  "608648016503040202": "SHA-384",
  "608648016503040203": "SHA-512",
};
const ECDSA: Record<string, string> = {
  "2a8648ce3d040302": "SHA-256",
  "2a8648ce3d040303": "SHA-384",
  "2a8648ce3d040304": "SHA-512",
};
const CURVES: Record<string, { namedCurve: string; size: number }> = {
  "2a8648ce3d030107": { namedCurve: "P-256", size: 32 },
  "2b81040022": { namedCurve: "P-384", size: 48 },
  "2b81040023": { namedCurve: "P-521", size: 66 },
};
const RSA: Record<string, string> = {
  "2a864886f70d01010b": "SHA-256",
  "2a864886f70d01010c": "SHA-384",
  "2a864886f70d01010d": "SHA-512",
};
const RSA_KEY = "2a864886f70d010101";

interface TimeStamp {
  /** UTC, as `2026-01-02 03:04:05`. */
  at: string;
  /** Common name in the certificate; empty where it has none. */
  authority: string;
  /** Whether the signature was checked; false for an algorithm that this browser does not know. */
  isSigned: boolean;
}

/** What a time stamp says of the content, or what is wrong with it. */
export async function readTimeStamp(reply: Bytes, content: Bytes): Promise<TimeStamp | Failure> {
  try {
    return await read(reply, content);
  } catch (error) {
    if (error instanceof NotDer) return "no_time_stamp";
    throw error;
  }
}

async function read(reply: Bytes, content: Bytes): Promise<TimeStamp | Failure> {
  const response = readDer(reply);
  // A refusal ends with its status.
  const status = given(given(response.of(SEQUENCE)[0]).of(INTEGER)[0]);
  if (!GRANTED.includes(status.id)) return "stamp_refused";
  const [, token] = two(response, SEQUENCE, SEQUENCE);
  const [kind, held] = two(token, OBJECT, FIRST);
  const signed = given(held.of(SEQUENCE)[0]).of(INTEGER, SET, SEQUENCE);
  const [encapsulated, wrapped] = two(given(signed[2]), OBJECT, FIRST);
  const info = given(wrapped.of(OCTETS)[0]).content;
  const certificates = signed.slice(3).find(({ tag }) => tag === FIRST);
  const last = given(signed.at(-1));
  const signers = last.of(SEQUENCE);
  const isForm =
    response.tag === SEQUENCE && last.tag === SET && kind.id === SIGNED_DATA && encapsulated.id === TST_INFO;
  if (!isForm || signers.length !== 1 || !certificates) return "no_time_stamp";
  const stated = readDer(info).of(INTEGER, OBJECT, SEQUENCE, INTEGER, TIME);
  const [algorithm, imprint] = two(given(stated[2]), SEQUENCE, OCTETS);
  const name = HASHES[given(algorithm.of(OBJECT)[0]).id];
  if (!name || !isSame(await hash(name, content), imprint.content)) return "stamp_of_other";
  const signer = given(signers[0]);
  const certificate = await signerOf(signer, certificates);
  if (!certificate) return "stamp_other_signer";
  const isSigned = await isSignedBy(signer, certificate, info);
  if (isSigned === false) return "stamp_unsigned";
  const at = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/.exec(
    decodedSomehow(given(stated[4]).content),
  );
  if (!at) return "no_time_stamp";
  const when = `${at.slice(1, 4).join("-")} ${at.slice(4, 7).join(":")}`;
  if (Number.isNaN(Date.parse(`${when.replace(" ", "T")}Z`))) return "no_time_stamp";
  return { at: when, authority: nameOf(certificate), isSigned: isSigned ?? false };
}

async function hash(name: string, data: Bytes): Promise<Bytes> {
  return new Uint8Array(await globalThis.crypto.subtle.digest(name, data));
}

function two(node: Node, one: number, other: number): [Node, Node] {
  const found = node.of(one, other);
  // Python unpacks exactly as many values.
  if (found.length !== 2) throw new NotDer();
  return [given(found[0]), given(found[1])];
}

/** Fields of a certificate from its serial number on. */
function fieldsOf(certificate: Node): Node[] {
  const fields = given(certificate.of(SEQUENCE)[0]).parts;
  return fields[0]?.tag === FIRST ? fields.slice(1) : fields;
}

/** The certificate that the signer names, by issuer and number and by the digest that it signed. */
async function signerOf(signer: Node, certificates: Node): Promise<Node | null> {
  const [, named, , attributes] = signer.of(INTEGER, SEQUENCE, SEQUENCE, FIRST);
  const [issuer, number] = two(given(named), SEQUENCE, INTEGER);
  for (const certificate of certificates.parts) {
    const fields = fieldsOf(certificate);
    const isIt = isSame(given(fields[0]).whole, number.whole) && isSame(given(fields[2]).whole, issuer.whole);
    if (isIt) return (await isNamed(certificate, given(attributes))) ? certificate : null;
  }
  return null;
}

async function isNamed(certificate: Node, attributes: Node): Promise<boolean> {
  for (const [kind, usual] of SIGNING_CERTIFICATES) {
    const value = attributeOf(attributes, kind);
    if (!value) continue;
    const parts = given(given(value.of(SEQUENCE)[0]).of(SEQUENCE)[0]).parts;
    const hasAlgorithm = given(parts[0]).tag === SEQUENCE;
    const name = hasAlgorithm ? HASHES[given(given(parts[0]).of(OBJECT)[0]).id] : usual;
    const stated = given(parts[hasAlgorithm ? 1 : 0]).content;
    return name !== undefined && isSame(await hash(name, certificate.whole), stated);
  }
  return false;
}

/** Whether the certificate's key signed the attributes, and these the content; null where that cannot be checked here. */
async function isSignedBy(signer: Node, certificate: Node, info: Bytes): Promise<boolean | null> {
  const parts = signer.of(INTEGER, SEQUENCE, SEQUENCE, FIRST, SEQUENCE, OCTETS);
  const digest = HASHES[given(given(parts[2]).of(OBJECT)[0]).id];
  const attributes = given(parts[3]);
  if (!digest) return null;
  const [kind, stated] = [attributeOf(attributes, CONTENT_TYPE), attributeOf(attributes, MESSAGE_DIGEST)];
  if (kind?.id !== TST_INFO || !stated || !isSame(await hash(digest, info), stated.content)) return false;
  const algorithm = given(given(parts[4]).of(OBJECT)[0]).id;
  const key = given(fieldsOf(certificate)[5]);
  const message = joined(new Uint8Array([SET]), attributes.whole.subarray(1));
  return isSignature(key, given(parts[5]).content, message, algorithm, digest);
}

async function isSignature(
  key: Node,
  signature: Bytes,
  message: Bytes,
  algorithm: string,
  digest: string,
): Promise<boolean | null> {
  const kind = key.at(0).parts.map(({ id }) => id);
  const { subtle } = globalThis.crypto;
  const curve = CURVES[kind[1] ?? ""];
  const ofRsa = algorithm === RSA_KEY ? digest : RSA[algorithm];
  try {
    if (curve && ECDSA[algorithm]) {
      const raw = rawSignature(signature, curve.size);
      const how = { name: "ECDSA", namedCurve: curve.namedCurve };
      const imported = await subtle.importKey("spki", key.whole, how, false, ["verify"]);
      return (
        raw !== null &&
        (await subtle.verify({ name: "ECDSA", hash: ECDSA[algorithm] }, imported, raw, message))
      );
    }
    if (kind[0] !== RSA_KEY || !ofRsa) return null;
    const how = { name: "RSASSA-PKCS1-v1_5", hash: ofRsa };
    const imported = await subtle.importKey("spki", key.whole, how, false, ["verify"]);
    return await subtle.verify(how.name, imported, signature, message);
  } catch (error) {
    // A curve that this browser does not have, or a key that is none.
    return error instanceof DOMException && error.name === "NotSupportedError" ? null : false;
  }
}

/** The two numbers of an ECDSA signature one after the other, as WebCrypto reads them; null where there are none. */
function rawSignature(signature: Bytes, size: number): Bytes | null {
  try {
    const numbers = readDer(signature).of(INTEGER, INTEGER);
    if (numbers.length !== 2) return null;
    const raw = new Uint8Array(2 * size);
    for (const [place, { content }] of numbers.entries()) {
      const start = content.findIndex((byte) => byte !== 0);
      const value = start < 0 ? new Uint8Array() : content.subarray(start);
      if (value.length > size) return null;
      raw.set(value, (place + 1) * size - value.length);
    }
    return raw;
  } catch (error) {
    if (error instanceof NotDer) return null;
    throw error;
  }
}

/** The one value of a signed attribute; null where it is missing or has several. */
function attributeOf(attributes: Node, kind: string): Node | null {
  for (const part of attributes.parts) {
    const [name, values] = two(part, OBJECT, SET);
    if (name.id !== kind) continue;
    const found = values.parts;
    return found.length === 1 ? given(found[0]) : null;
  }
  return null;
}

function nameOf(certificate: Node): string {
  for (const each of given(fieldsOf(certificate)[4]).parts) {
    const [name, value] = given(each.of(SEQUENCE)[0]).parts;
    if (given(name).id === COMMON_NAME) return decodedSomehow(given(value).content);
  }
  return "";
}
