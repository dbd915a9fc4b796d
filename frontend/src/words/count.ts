export const MINUS = "−";
export const THIN = "\u202f";

/** A count, with a thin space between thousands. */
export function formatCount(value: number): string {
  const digits = String(Math.abs(Math.round(value))).replace(/\B(?=(\d{3})+$)/g, THIN);
  return value < 0 ? `${MINUS}${digits}` : digits;
}
