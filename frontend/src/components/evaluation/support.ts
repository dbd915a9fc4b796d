/** A stretch of a text, from one character to the next after its end. */
export type Range = readonly [start: number, end: number];

/** The full stops of other scripts need no space behind them; quotes and brackets that close there belong to them. */
const SENTENCE =
  /[^.!?\n\p{Sentence_Terminal}]+(?:[.!?]+(?=\s|$)|(?:(?![.!?])\p{Sentence_Terminal})+[\p{Pe}\p{Pf}]*|\n|$)/gu;
const WORD = /[\p{L}\p{M}\p{N}]{4,}/gu;
/** Pairs of letters, where there are no spaces between words. */
const PAIR =
  /(?=([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{2}))/gu;
/** Share of a sentence's words that a passage's sentence must hold to support it. */
const ENOUGH = 0.5;
/** Fewer words than this occur together anywhere. */
const FEWEST = 2;

interface Sentence {
  range: Range;
  words: Set<string>;
}

function sentencesOf(text: string): Sentence[] {
  return [...text.matchAll(SENTENCE)].flatMap(({ index, 0: found }) => {
    const pairs = [...found.matchAll(PAIR)].map(([, pair]) => pair ?? "");
    const spaced = found.toLowerCase().match(WORD) ?? [];
    const words = new Set([...spaced.filter((word) => word.search(PAIR) < 0), ...pairs]);
    const start = index + found.length - found.trimStart().length;
    return words.size > 0 ? [{ range: [start, index + found.trimEnd().length] as const, words }] : [];
  });
}

/** How many of these words a sentence has. */
function shared(words: Set<string>, other: Set<string>): number {
  return [...words].filter((word) => other.has(word)).length;
}

/**
 * The sentence of the passages that supports each sentence of an answer, by passage: the one that holds most of its
 * longer words, if that is at least half of them.
 */
export function supportOf(
  answer: string,
  passages: readonly { id: string; text: string }[],
): Map<string, Range[]> {
  const candidates = passages.flatMap(({ id, text }) =>
    sentencesOf(text).map((sentence) => ({ id, ...sentence })),
  );
  const found = new Map<string, Range[]>();
  for (const { words } of sentencesOf(answer)) {
    let best = { held: Math.max(FEWEST, ENOUGH * words.size), at: -1 };
    candidates.forEach((candidate, at) => {
      const held = shared(words, candidate.words);
      // The nearest passage wins among equals.
      if (held > best.held || (best.at < 0 && held >= best.held)) best = { held, at };
    });
    const chosen = candidates[best.at];
    if (!chosen) continue;
    const ranges = found.get(chosen.id) ?? [];
    if (!ranges.some(([start]) => start === chosen.range[0])) ranges.push(chosen.range);
    found.set(chosen.id, ranges);
  }
  return found;
}

/** A text cut at the ends of these ranges, each part with whether it lies within one. */
export function partsOf(
  text: string,
  ranges: readonly Range[],
): { start: number; text: string; isIn: boolean }[] {
  const parts: { start: number; text: string; isIn: boolean }[] = [];
  let end = 0;
  for (const [from, to] of [...ranges].sort(([one], [other]) => one - other)) {
    if (from > end) parts.push({ start: end, text: text.slice(end, from), isIn: false });
    parts.push({ start: from, text: text.slice(Math.max(from, end), to), isIn: true });
    end = to;
  }
  if (end < text.length) parts.push({ start: end, text: text.slice(end), isIn: false });
  return parts;
}
