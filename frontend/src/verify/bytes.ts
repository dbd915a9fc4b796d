export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

export function encoded(text: string): Bytes {
  return encoder.encode(text) as Bytes;
}

/** The text of UTF-8; null where the bytes are none. */
export function decoded(data: Uint8Array): string | null {
  try {
    return strict.decode(data);
  } catch {
    return null;
  }
}

/** The same with U+FFFD for what is no UTF-8. */
export function decodedSomehow(data: Uint8Array): string {
  return lenient.decode(data);
}

export function joined(...parts: Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, place) => byte === other[place]);
}

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function hex(data: Uint8Array): string {
  let text = "";
  for (const byte of data) text += DIGITS[byte];
  return text;
}

/** The bytes of an even number of hex digits. */
export function unhexed(text: string): Bytes {
  const data = new Uint8Array(text.length / 2);
  for (let place = 0; place < data.length; place++) {
    data[place] = Number.parseInt(text.slice(2 * place, 2 * place + 2), 16);
  }
  return data;
}

/** Browsers give digests only to pages from this machine or over https. */
export function canDigest(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

export async function sha256(data: Bytes): Promise<Bytes> {
  return new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", data));
}

/** SHA-256 of bytes, or of a text's UTF-8, in hex. */
export async function digestOf(data: Bytes | string): Promise<string> {
  return hex(await sha256(typeof data === "string" ? encoded(data) : data));
}
