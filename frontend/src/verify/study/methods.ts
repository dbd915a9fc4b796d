/** methods.md of a study: each number with a link is the value that it links to. */
import type { Wrong } from "../steps";

const LINK =
  /\[([^[\]\n]*)\]\((table\.csv#cell=([0-9]{1,6}),([0-9]{1,4})|(study|verdict)\.json#(\/[^()\s]*))\)/g;
const SHOWN = /^-?[0-9]+(?:\.([0-9]+))?$/;
const PLACE = /^(?:0|[1-9][0-9]{0,8})$/;
/** A number in a cell: Python and JavaScript read more spellings, and not the same ones. */
const NUMBER = /^-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?$/;
const MINUS = "\u2212";
const ROUNDED = 1e-9;

/** The first number that is not what it links to; `documents` are study.json and verdict.json by their first word. */
export function otherNumber(
  text: string,
  cells: string[][],
  documents: Record<string, unknown>,
): Wrong | null {
  const links = [...text.matchAll(LINK)];
  for (const [, shown = "", target = "", row, column, name = "", pointer = ""] of links) {
    const value = row ? cells[Number(row) - 1]?.[Number(column) - 1] : memberOf(documents[name], pointer);
    if (!shows(shown, value)) return { why: "other_number_shown", facts: [shown, target], field: target };
  }
  return links.length > 0 ? null : { why: "no_numbers" };
}

/** Whether a text shows a value: a number rounded to its digits, or the same words. */
function shows(shown: string, value: unknown): boolean {
  const written = shown.replaceAll(MINUS, "-");
  const match = SHOWN.exec(written);
  if (!match) return typeof value === "string" && shown === value.replaceAll("_", " ");
  if (typeof value !== "number" && (typeof value !== "string" || !NUMBER.test(value))) return false;
  return Math.abs(Number(written) - Number(value)) <= 0.5 * 10 ** -(match[1]?.length ?? 0) + ROUNDED;
}

/** What a JSON pointer without escapes leads to. */
function memberOf(document: unknown, pointer: string): unknown {
  let value = document;
  for (const part of pointer.split("/").slice(1)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    if (Array.isArray(value) && !PLACE.test(part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}
