/** Reading and writing canonical JSON (RFC 8785). What is read is canonical from its first to its last character. */
import { decoded, decodedSomehow } from "./bytes";

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export interface Flaw {
  why: "not_utf8" | "not_canonical" | "too_deep";
  path: string;
  /** Whole members of the document before it: tells which member is meant where its name is what is broken. */
  before: number;
}

/** Containers within the outermost one. */
const DEEPEST = 64;
const SCALAR = /true|false|null|-?[0-9][0-9.eE+-]*/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PLAIN = 0x20;
const LITERALS: Record<string, boolean | null> = { true: true, false: false, null: null };

class Refused extends Error {
  constructor(readonly why: Flaw["why"]) {
    super(why);
  }
}

/** A path such as `run.entry.results[3]`. */
export function pathOf(parts: readonly (string | number)[]): string {
  let path = "";
  for (const part of parts) {
    if (typeof part === "number") path += `[${part}]`;
    else path += path === "" ? part : `.${part}`;
  }
  return path;
}

class Reader {
  readonly path: (string | number)[] = [];
  before = 0;
  private at = 0;

  constructor(private readonly text: string) {}

  document(): Json {
    const value = this.value(0);
    if (this.at !== this.text.length) throw new Refused("not_canonical");
    return value;
  }

  private value(depth: number): Json {
    const mark = this.text[this.at];
    if (mark === '"') return this.string();
    if (mark !== "{" && mark !== "[") return this.scalar();
    if (depth > DEEPEST) throw new Refused("too_deep");
    this.at += 1;
    return mark === "{" ? this.object(depth) : this.list(depth);
  }

  private list(depth: number): Json[] {
    const found: Json[] = [];
    if (this.took("]")) return found;
    do {
      this.path.push(found.length);
      found.push(this.value(depth + 1));
      this.path.pop();
    } while (this.took(","));
    this.need("]");
    return found;
  }

  private object(depth: number): { [name: string]: Json } {
    const found = Object.create(null) as { [name: string]: Json };
    let before: string | null = null;
    if (this.took("}")) return found;
    do {
      const name = this.string();
      this.path.push(name);
      // Ascending by UTF-16 code units, so none is there twice.
      if (before !== null && name <= before) throw new Refused("not_canonical");
      before = name;
      this.need(":");
      found[name] = this.value(depth + 1);
      this.path.pop();
      if (depth === 0) this.before += 1;
    } while (this.took(","));
    this.need("}");
    return found;
  }

  private scalar(): Json {
    SCALAR.lastIndex = this.at;
    const token = SCALAR.exec(this.text)?.[0];
    if (token === undefined) throw new Refused("not_canonical");
    this.at += token.length;
    const literal = LITERALS[token];
    if (literal !== undefined) return literal;
    const value = Number(token);
    if (!Number.isFinite(value) || String(value) !== token) throw new Refused("not_canonical");
    return value;
  }

  private string(): string {
    const start = this.at;
    const { end, hasEscapes } = this.endOfString();
    this.at = end + 1;
    if (!hasEscapes) return this.text.slice(start + 1, end);
    const token = this.text.slice(start, end + 1);
    const value = plain(token);
    if (value === null || JSON.stringify(value) !== token || /\p{Surrogate}/u.test(value)) {
      throw new Refused("not_canonical");
    }
    return value;
  }

  private endOfString(): { end: number; hasEscapes: boolean } {
    if (this.text[this.at] !== '"') throw new Refused("not_canonical");
    let hasEscapes = false;
    for (let at = this.at + 1; at < this.text.length; at++) {
      const code = this.text.charCodeAt(at);
      if (code === QUOTE) return { end: at, hasEscapes };
      if (code < FIRST_PLAIN) break;
      if (code === BACKSLASH) {
        hasEscapes = true;
        at += 1;
      }
    }
    throw new Refused("not_canonical");
  }

  private took(mark: string): boolean {
    if (this.text[this.at] !== mark) return false;
    this.at += 1;
    return true;
  }

  private need(mark: string): void {
    if (!this.took(mark)) throw new Refused("not_canonical");
  }
}

function plain(token: string): string | null {
  try {
    return JSON.parse(token) as string;
  } catch {
    return null;
  }
}

/** The value of canonical JSON, or where it is not canonical. */
export function readCanonical(data: Uint8Array): { value: Json } | { flaw: Flaw } {
  const text = decoded(data);
  // What stands before the first wrong byte tells where that is.
  const reader = new Reader(text ?? (decodedSomehow(data).split("\ufffd", 1)[0] as string));
  try {
    const value = reader.document();
    return text === null ? { flaw: { why: "not_utf8", path: "", before: reader.before } } : { value };
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    const why = text === null ? "not_utf8" : refused.why;
    return { flaw: { why, path: pathOf(reader.path), before: reader.before } };
  }
}

/** Canonical JSON of a value that was read from it, or made of such. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(",")}}`;
}
