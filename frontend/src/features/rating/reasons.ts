import { t } from "@/words";

/** Frequent reasons of a rating by their stored codes, which are the same in every language. */
export const REASONS: Readonly<Record<string, string>> = {
  contradicts_reference: t("Contradicts the reference"),
  leaves_out: t("Incomplete answer"),
  adds: t("Adds what the passages do not contain"),
  off_question: t("Does not answer the question"),
  unclear: t("Unclear or badly written"),
};

const BETWEEN = "; ";

interface Note {
  /** Codes of the list that the note begins with. */
  codes: readonly string[];
  /** What the rater wrote. */
  text: string;
}

/** The parts of a stored note: codes come first, all that follows is text. */
export function noteOf(stored: string): Note {
  const parts = stored.split(BETWEEN);
  const first = parts.findIndex((part) => !Object.hasOwn(REASONS, part));
  const end = first < 0 ? parts.length : first;
  return { codes: parts.slice(0, end), text: parts.slice(end).join(BETWEEN) };
}

/** A note as it is stored. */
export function storedNote({ codes, text }: Note): string {
  return [...codes, ...(text ? [text] : [])].join(BETWEEN);
}

/** The stored note with a code added, or taken out; what the rater wrote stays. */
export function toggledReason(stored: string, code: string): string {
  const { codes, text } = noteOf(stored);
  const next = codes.includes(code) ? codes.filter((other) => other !== code) : [...codes, code];
  return storedNote({ codes: next, text });
}
