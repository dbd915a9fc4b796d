import { words } from "@/words";
import type { Wording } from "@/words/sentences";
import { formatCount, formatDifference, formatP, formatScore, formatShare } from "./numbers/format";

/** What the server sends beside its sentences: what each was made of, by its English; the page's own have nothing. */
export type Wordings = Readonly<Record<string, Wording>> | undefined;

/** Numbers in sentences, as they stand everywhere else. */
function inSentence(value: number, form: string): string {
  if (form === "p") return formatP(value);
  if (form === "share") return formatShare(value);
  if (form === "points") return formatDifference(value, 2);
  if (form === "score") return formatScore(value);
  if (form === "d") return formatScore(value, 2);
  return Number.isInteger(value) && form !== "raw" ? formatCount(value) : String(value);
}

function inWords(text: string, wordings: Wordings): string | null {
  return words.told.sentence(text, wordings?.[text], inSentence);
}

interface Props {
  text: string;
  wordings: Wordings;
}

/** A sentence in the reader's language; where only the server's English is known, it is marked as English. */
export function Said({ text, wordings }: Props) {
  const said = inWords(text, wordings);
  if (said !== null || wordings === undefined) return said ?? text;
  return <span lang="en">{text}</span>;
}

/** The same where nothing but text can stand. */
export function saidOf(text: string, wordings: Wordings): string {
  return inWords(text, wordings) ?? text;
}
