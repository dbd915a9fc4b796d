/** Reading and writing canonical JSON (RFC 8785). */
import { decoded } from "./bytes";

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Refusal = "not_utf8" | "not_canonical" | "too_deep";

/** Deepest nesting of lists and objects within the outermost one. */
const DEEPEST = 64;
/** JSON.stringify escapes a lone surrogate, which UTF-8 cannot hold; an escaped backslash before "ud800" is a text. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/**
 * The value whose canonical JSON these bytes are, or why there is none. Writing the value again refuses white space,
 * another order, duplicate keys, other escapes and other spellings of a number in one step.
 */
export function readCanonical(data: Uint8Array): { value: Json } | { why: Refusal } {
  const text = decoded(data);
  if (text === null) return { why: "not_utf8" };
  const value = parsed(text);
  if (value === undefined) return { why: "not_canonical" };
  if (isDeeper(value, DEEPEST)) return { why: "too_deep" };
  if (canonical(value) !== text || LONE_SURROGATE.test(text)) return { why: "not_canonical" };
  return { value };
}

/** Canonical JSON of a value without lone surrogates. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(",")}}`;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels < 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
