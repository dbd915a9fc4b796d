import { language } from "@/words";

/** Text of the server that holds no Cyrillic letter is English: an older version's, or another program's. */
const isForeign = (text: string) => language === "bg" && /[A-Za-z]{2}/.test(text) && !/[а-я]/i.test(text);

/** A sentence of the server, in the reader's language; one that is known in English only is marked as English. */
export function Said({ text }: { text: string }) {
  return isForeign(text) ? <span lang="en">{text}</span> : text;
}
