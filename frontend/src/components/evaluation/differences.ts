/** A span of text; `isShared` if its words also occur in the other text, in the same order. */
export interface Piece {
  /** Character at which it begins. */
  start: number;
  text: string;
  isShared: boolean;
}

export interface Differences {
  reference: Piece[];
  answer: Piece[];
  /** Words of the reference that the answer has, of how many. */
  shared: number;
  words: number;
}

const WORD = /[\p{L}\p{N}]+(?:['’.,-][\p{L}\p{N}]+)*/gu;
/** Maximum number of compared pairs of words; more would block the page. */
const MOST = 4_000_000;

interface Word {
  start: number;
  end: number;
  key: string;
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    key: match[0].toLowerCase(),
  }));
}

/** Which words of both sides form a longest common subsequence. */
function common(first: Word[], second: Word[]): [Set<number>, Set<number>] {
  const width = second.length + 1;
  // lengths[i * width + j]: of the longest common subsequence of first[i..] and second[j..].
  const lengths = new Uint16Array((first.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = first.length - 1; i >= 0; i--) {
    for (let j = second.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        first[i]?.key === second[j]?.key ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const found: [Set<number>, Set<number>] = [new Set(), new Set()];
  let i = 0;
  let j = 0;
  while (i < first.length && j < second.length) {
    if (first[i]?.key === second[j]?.key) {
      found[0].add(i++);
      found[1].add(j++);
    } else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return found;
}

/** Split a text into shared and other spans; text between two words of one kind belongs to their span. */
function pieces(text: string, found: Word[], shared: Set<number>): Piece[] {
  const result: Piece[] = [];
  let end = 0;
  const add = (to: number, isShared: boolean) => {
    const part = text.slice(end, to);
    const last = result.at(-1);
    if (last?.isShared === isShared) last.text += part;
    else if (part !== "") result.push({ start: end, text: part, isShared });
    end = to;
  };
  found.forEach((word, place) => {
    const isShared = shared.has(place);
    const wasShared = place === 0 || shared.has(place - 1);
    add(word.start, isShared || wasShared);
    add(word.end, isShared);
  });
  add(text.length, true);
  return result;
}

/** Words that occur in one text only, ignoring case; null if the texts are too long to compare. */
export function differences(reference: string, answer: string): Differences | null {
  const first = wordsOf(reference);
  const second = wordsOf(answer);
  if (first.length * second.length > MOST) return null;
  const [inReference, inAnswer] = common(first, second);
  return {
    reference: pieces(reference, first, inReference),
    answer: pieces(answer, second, inAnswer),
    shared: inReference.size,
    words: first.length,
  };
}
