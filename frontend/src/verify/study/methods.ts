/** methods.md of a study: each number with a link is the value that it links to. */
import type { Violation } from "../steps";
import type { VerdictDocument } from "../verdict-form";

const LINK =
  /\[([^[\]\n]*)\]\((table\.csv#cell=([0-9]{1,6}),([0-9]{1,4})|(study|verdict)\.json#(\/[^()\s]*))\)/g;
const SHOWN = /^-?[0-9]+(?:\.([0-9]+))?$/;
const PLACE = /^(?:0|[1-9][0-9]{0,8})$/;
/** A number in a cell: Python and JavaScript read more spellings, and not the same ones. */
const NUMBER = /^-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?$/;
const MINUS = "\u2212";
const ROUNDED = 1e-9;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the separators that Python counts as white space
const SPACES = /[\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

type Conclusion = VerdictDocument["conclusions"][number];
const SENTENCES: Record<Conclusion["kind"], (recommended: string) => string> = {
  no_verdict: () => "The results allow no verdict.",
  better: (name) => `Recommended: ${name}, which is better than the baseline.`,
  as_good_cheaper: (name) => `Recommended: ${name}, which is as good as the baseline and costs less.`,
  cannot_tell: () => "These questions cannot tell whether a configuration is better than the baseline.",
  keep_baseline: () =>
    "No configuration is better than the baseline, or as good and cheaper: keep the baseline.",
};

/** The first number that is not what it links to; `documents` are study.json and verdict.json by their first word. */
export function otherNumber(
  text: string,
  cells: string[][],
  documents: Record<string, unknown>,
): Violation | null {
  const links = [...text.matchAll(LINK)];
  for (const [, shown = "", target = "", row, column, name = "", pointer = ""] of links) {
    const value = row ? cells[Number(row) - 1]?.[Number(column) - 1] : memberOf(documents[name], pointer);
    if (!shows(shown, value)) return { why: "other_number_shown", facts: [shown, target], field: target };
  }
  return links.length > 0 ? null : { why: "no_numbers" };
}

/** Where no paragraph is the conclusions of verdict.json, recommended names included. */
export function otherConclusions(text: string, document: VerdictDocument): Violation | null {
  const paragraphs = text.split("\n\n");
  if ([true, false].some((namesJudge) => paragraphs.includes(conclusionsOf(document, namesJudge))))
    return null;
  return { why: "other_conclusions", field: "conclusions" };
}

/** A sentence for each model; the judge is named where nobody checked it, except by earlier versions. */
function conclusionsOf({ conclusions, judged }: VerdictDocument, namesJudge: boolean): string {
  const judge = namesJudge && judged?.status === "unchecked" ? judged.judge : null;
  const said = conclusions.map((each) => {
    const sentence = sentenceOf(each, judge);
    return conclusions.length > 1 ? `${plain(each.model)}: ${sentence}` : sentence;
  });
  return said.join(" ");
}

/** The verdict about one model; `judge` decides and is unchecked. */
export function sentenceOf({ kind, recommended }: Conclusion, judge: string | null): string {
  const whole = SENTENCES[kind](plain(recommended ?? ""));
  if (judge === null || kind === "no_verdict") return whole;
  return `${whole.slice(0, -1)}, says judge ${plain(judge)} (unchecked).`;
}

/** A name without the marks of links and line breaks. */
function plain(name: string): string {
  const parts = name.replaceAll(/[[\]()]/g, " ").split(SPACES);
  return parts.filter(Boolean).join(" ") || "?";
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
