/** Antelope's packed transactions: the actions in them, and the entries that those record. */
import * as v from "valibot";
import { decodedSomehow, hex, unhexed } from "./bytes";
import { type Entry, entryForm } from "./forms";

const LETTERS = ".12345abcdefghijklmnopqrstuvwxyz";
const NAME_LENGTH = 13;
const HEADER_BYTES = 4 + 2 + 4;
const DIGEST_BYTES = 32;
const MOST_VARUINT = 0xffffffff;
const LONGEST_VARUINT = 5;

export interface PackedAction {
  account: string;
  name: string;
  data: Uint8Array;
}

/** The bytes end too early, or are not what a chain writes. */
export class NotPacked extends Error {}

class Unpacker {
  private at = 0;

  constructor(private readonly data: Uint8Array) {}

  raw(size: number): Uint8Array {
    if (size > this.data.length - this.at) throw new NotPacked();
    this.at += size;
    return this.data.subarray(this.at - size, this.at);
  }

  /** Seven bits a byte, the lowest first, in the shortest form. */
  varuint(): number {
    let value = 0;
    for (let place = 0; place < LONGEST_VARUINT; place++) {
      const byte = this.raw(1)[0] as number;
      value += (byte & 0x7f) * 2 ** (7 * place);
      if (byte >= 0x80) continue;
      if (value > MOST_VARUINT || (place > 0 && byte === 0)) break;
      return value;
    }
    throw new NotPacked();
  }

  blob(): Uint8Array {
    return this.raw(this.varuint());
  }

  name(): string {
    const part = this.raw(8);
    let value = new DataView(part.buffer, part.byteOffset).getBigUint64(0, true);
    let text = LETTERS[Number(value & 0xfn)] as string;
    value >>= 4n;
    for (let place = 1; place < NAME_LENGTH; place++) {
      text = LETTERS[Number(value & 0x1fn)] + text;
      value >>= 5n;
    }
    return text.replace(/\.+$/, "");
  }

  doubles(): number[] {
    const count = this.varuint();
    const part = this.raw(8 * count);
    const view = new DataView(part.buffer, part.byteOffset);
    return Array.from({ length: count }, (_, place) => view.getFloat64(8 * place, true));
  }

  /** There must be none of what comes next. */
  none(): void {
    if (this.varuint() !== 0) throw new NotPacked();
  }

  done(): void {
    if (this.at !== this.data.length) throw new NotPacked();
  }
}

/** The actions of a packed transaction; NotPacked for bytes that are none. */
export function actionsOf(packed: string): PackedAction[] {
  const part = new Unpacker(unhexed(packed));
  part.raw(HEADER_BYTES);
  part.varuint();
  part.raw(1);
  part.varuint();
  part.none();
  const actions: PackedAction[] = [];
  for (let left = part.varuint(); left > 0; left--) {
    const [account, name] = [part.name(), part.name()];
    for (let levels = part.varuint(); levels > 0; levels--) part.raw(16);
    actions.push({ account, name, data: part.blob() });
  }
  part.none();
  part.done();
  return actions;
}

/** When a packed transaction expires, in seconds since 1970: no later block accepts it. */
export function expirationOf(packed: string): number {
  return new DataView(unhexed(packed.slice(0, 8)).buffer).getUint32(0, true);
}

/** What an action of the published contract records: all but the digests; NotPacked for any other. */
export function legacyOf(action: PackedAction): {
  legacy: [string, string, string, number[]];
  creator: string;
} {
  const part = new Unpacker(action.data);
  const [creator, testid] = [part.name(), part.name()];
  const [description, results] = [decodedSomehow(part.blob()), part.doubles()];
  part.done();
  return { legacy: [action.name, testid, description, results], creator };
}

/** The entry that an action records, and its creator; NotPacked where it records none. */
export function entryOf(action: PackedAction): { entry: Entry; creator: string } {
  const part = new Unpacker(action.data);
  const [creator, testid] = [part.name(), part.name()];
  const description = decodedSomehow(part.blob());
  const results = part.doubles();
  const [run_digest, config_digest] = [hex(part.raw(DIGEST_BYTES)), hex(part.raw(DIGEST_BYTES))];
  part.done();
  const entry = { action: action.name, testid, description, results, run_digest, config_digest };
  const read = v.safeParse(entryForm, entry);
  if (!read.success || !results.every(Number.isFinite)) throw new NotPacked();
  return { entry: read.output, creator };
}
