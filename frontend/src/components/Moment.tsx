import { language } from "@/words";

/** The reader’s own way to write times, unless a language is chosen that is not the browser’s. */
const LOCALE = globalThis.navigator?.language.startsWith(language) ? [] : [language];

/** A time as the reader's clock shows it: the hour today, the day before that; whole on hover. */
export function Moment({ at }: { at: string }) {
  const time = new Date(at);
  const isToday = time.toDateString() === new Date().toDateString();
  const shown = isToday
    ? time.toLocaleTimeString(LOCALE, { hour: "2-digit", minute: "2-digit" })
    : time.toLocaleDateString(LOCALE, { day: "numeric", month: "short", year: "numeric" });
  return (
    <time dateTime={at} title={time.toLocaleString(LOCALE)}>
      {shown}
    </time>
  );
}
