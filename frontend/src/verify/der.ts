/** Reading of DER (ITU-T X.690), as far as time stamps need it. */
import { type Bytes, hex } from "./bytes";

export const SEQUENCE = 0x30;
export const SET = 0x31;
export const OBJECT = 0x06;
export const OCTETS = 0x04;
export const INTEGER = 0x02;
export const TIME = 0x18;
/** Tag [0]. */
export const FIRST = 0xa0;
/** Bytes of a length. */
const LONGEST_LENGTH = 3;

/** The bytes have another form. */
export class NotDer extends Error {}

/** One value, and where it is. */
export class Node {
  constructor(
    private readonly data: Bytes,
    readonly tag: number,
    private readonly start: number,
    private readonly begin: number,
    readonly end: number,
  ) {}

  /** Without tag and length. */
  get content(): Bytes {
    return this.data.slice(this.begin, this.end);
  }

  /** With tag and length. */
  get whole(): Bytes {
    return this.data.slice(this.start, this.end);
  }

  get id(): string {
    return hex(this.content);
  }

  /** The values inside, which fill it. */
  get parts(): Node[] {
    const found: Node[] = [];
    for (let at = this.begin; at < this.end; at = found.at(-1)?.end ?? this.end) {
      found.push(nodeAt(this.data, at, this.end));
    }
    return found;
  }

  /** The values inside, which begin with these tags. */
  of(...tags: number[]): Node[] {
    const found = this.parts;
    if (tags.some((tag, place) => found[place]?.tag !== tag)) throw new NotDer();
    return found;
  }

  /** The value inside with a number, which must be there. */
  at(place: number): Node {
    return given(this.parts[place]);
  }
}

export function given(node: Node | undefined): Node {
  if (!node) throw new NotDer();
  return node;
}

/** The one value that fills the bytes. */
export function readDer(data: Bytes): Node {
  const found = nodeAt(data, 0, data.length);
  if (found.end !== data.length) throw new NotDer();
  return found;
}

function nodeAt(data: Bytes, at: number, end: number): Node {
  const tag = data[at] ?? 0x1f;
  if (at + 2 > end || (tag & 0x1f) === 0x1f) throw new NotDer();
  let length = data[at + 1] as number;
  let begin = at + 2;
  if (length >= 0x80) {
    const size = length - 0x80;
    if (size < 1 || size > LONGEST_LENGTH || begin + size > end) throw new NotDer();
    length = data.subarray(begin, begin + size).reduce((sum, byte) => sum * 256 + byte, 0);
    // A shorter form exists.
    if (length < 0x80 || length < 256 ** (size - 1)) throw new NotDer();
    begin += size;
  }
  if (begin + length > end) throw new NotDer();
  return new Node(data, tag, at, begin, begin + length);
}
