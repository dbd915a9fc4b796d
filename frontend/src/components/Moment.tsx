import { language } from "@/words";
import { Hint } from "./Hint";

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

const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** How long ago, in words. */
export function formatAgo(at: string, now = Date.now()): string {
  const seconds = Math.max(0, (now - new Date(at).getTime()) / 1000);
  const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? ["second", 1];
  return relative.format(unit === "second" ? 0 : -Math.floor(seconds / size), unit);
}

/** How long ago something was; when exactly, on hover and on focus. */
export function Ago({ at }: { at: string }) {
  return (
    <Hint text={new Date(at).toLocaleString(LOCALE)}>
      <time dateTime={at}>{formatAgo(at)}</time>
    </Hint>
  );
}
