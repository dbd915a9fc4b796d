import { Fragment } from "react";
import { language } from "@/words";
import { unbroken } from "./unbroken";

/** Text between backticks is code. */
const TYPED = /`([^`]+)`/;

/** Text of the server that holds no Cyrillic letter is English: an older version's, or another program's. */
const isForeign = (text: string) => language === "bg" && /[A-Za-z]{2}/.test(text) && !/[а-я]/i.test(text);

/**
 * A sentence of the server or of the page, with the commands that it names set as code. One that is known in English
 * only is marked as English.
 */
export function ServerText({ text }: { text: string }) {
  const parts = text.split(TYPED).map((part, place) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
    place % 2 === 1 ? <code key={place}>{part}</code> : <Fragment key={place}>{unbroken(part)}</Fragment>,
  );
  return isForeign(text) ? <span lang="en">{parts}</span> : parts;
}
