import { language } from "./language";

export const MINUS = "−";
export const THIN = "\u202f";

/** The decimal sign of the reader's language. */
export const DECIMAL =
  new Intl.NumberFormat(language).formatToParts(0.5).find(({ type }) => type === "decimal")?.value ?? ".";

/** A number's digits as the program writes them, with the decimal sign and the minus of a reader. */
export function localised(digits: string | number): string {
  return String(digits).replace(".", DECIMAL).replace("-", MINUS);
}

/** A count, with a thin space between thousands. */
export function formatCount(value: number): string {
  const digits = String(Math.abs(Math.round(value))).replace(/\B(?=(\d{3})+$)/g, THIN);
  return value < 0 ? `${MINUS}${digits}` : digits;
}
