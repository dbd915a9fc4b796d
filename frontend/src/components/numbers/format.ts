import { t } from "@/words";
import { DECIMAL, localised, MINUS, THIN } from "@/words/count";

export { formatCount } from "@/words/count";

/** How a number is written; every number on screen goes through here. Files that are downloaded have decimal points. */

/** Written where there is no value; its reason is shown next to it. */
export const NONE = "–";

function fixed(value: number, digits: number, plus = ""): string {
  const text = Math.abs(value).toFixed(digits);
  // A value that rounds to nothing carries no sign.
  const sign = Number(text) === 0 ? "" : value < 0 ? MINUS : plus;
  return `${sign}${localised(text)}`;
}

/** A score, 4 decimals. */
export function formatScore(value: number, digits = 4): string {
  return fixed(value, digits);
}

/** A difference, with its sign. */
export function formatDifference(value: number, digits = 4): string {
  return fixed(value, digits, "+");
}

/** A setting or a place on an axis with as many decimals as it has, at most 4. */
export function formatPlain(value: number): string {
  return localised(Number(value.toFixed(4)));
}

/** Numbers in a row, kept apart by more than their decimal sign. */
export function formatList(numbers: readonly string[]): string {
  return numbers.join(DECIMAL === "," ? "; " : ", ");
}

/** A value that is already in per cent, 2 decimals and sign. */
export function formatPercent(value: number): string {
  return `${formatDifference(value, 2)}${THIN}%`;
}

/** A share in [0, 1] as a percentage without sign, 1 decimal. */
export function formatShare(value: number): string {
  return `${fixed(value * 100, 1)}${THIN}%`;
}

/** The confidence level of intervals with this error: `95 %`. */
export function formatLevel(alpha: number): string {
  return `${localised(Number((100 * (1 - alpha)).toFixed(2)))}${THIN}%`;
}

/** A p value: `.012`, and `< .001` below that; 1 stays `1.000`. A decimal comma has its zero before it. */
export function formatP(value: number): string {
  if (value < 0.001) return `< ${withoutZero("0.001")}`;
  return withoutZero(value.toFixed(3));
}

/** A value between 0 and 1 without its zero, as tables in English have it. */
function withoutZero(digits: string): string {
  return DECIMAL === "." ? digits.replace(/^0/, "") : localised(digits);
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** Seconds, in the unit a reader would choose, in the reader's language. */
export function formatDuration(seconds: number): string {
  if (seconds < 0.000_999_5) return t("{value} µs", { value: (seconds * 1e6).toFixed(0) });
  if (seconds < 0.999_5) {
    return t("{value} ms", { value: fixed(seconds * 1000, seconds < 0.009_95 ? 1 : 0) });
  }
  if (seconds < MINUTE) return inSeconds(fixed(seconds, seconds < 9.95 ? 1 : 0));
  const whole = Math.round(seconds);
  if (whole < HOUR) return `${inMinutes(Math.floor(whole / MINUTE))} ${inSeconds(whole % MINUTE)}`;
  if (whole < DAY) return `${inHours(whole / HOUR)} ${inMinutes(Math.floor((whole % HOUR) / MINUTE))}`;
  return `${t("{value} d", { value: String(Math.floor(whole / DAY)) })} ${inHours((whole % DAY) / HOUR)}`;
}

// Values are passed as text: a message would round a number to a count.
function inSeconds(value: number | string): string {
  return t("{value} s", { value: String(value) });
}

function inMinutes(value: number): string {
  return t("{value} min", { value: String(value) });
}

function inHours(value: number): string {
  return t("{value} h", { value: String(Math.floor(value)) });
}

/** About how long, for a time that is only expected. */
export function formatAbout(seconds: number): string {
  if (seconds < 1) return `< ${inSeconds(1)}`;
  if (seconds < MINUTE) return inSeconds(Math.ceil(seconds));
  if (seconds < HOUR) return inMinutes(Math.round(seconds / MINUTE));
  return formatDuration(Math.round(seconds / MINUTE) * MINUTE);
}

/** Evaluations per second, 3 significant digits. */
export function formatRate(perSecond: number): string {
  const value = perSecond >= 100 ? String(Math.round(perSecond)) : perSecond.toPrecision(3);
  return t("{value}/s", { value: localised(value) });
}

/** Nanoseconds as a server reports them. */
export function formatNanoseconds(nanoseconds: number): string {
  return formatDuration(nanoseconds / 1e9);
}

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** A size on disk, in powers of 1000 as model servers give it; 3 significant digits at most. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || size >= 99.95 ? 0 : 1;
  return `${fixed(size, digits)} ${UNITS[unit]}`;
}

interface Interval {
  low: number | null;
  high: number | null;
}

/** Both ends of an interval, of scores unless another format is given; null without one. */
export function formatInterval(
  interval: Interval | null | undefined,
  format: (value: number) => string = formatScore,
): string | null {
  if (interval?.low == null || interval.high == null) return null;
  return t("{low} to {high}", { low: format(interval.low), high: format(interval.high) });
}
