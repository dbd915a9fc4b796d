import type { NamedTable } from "@/api/types";
import { formatCount, formatP, formatPercent, formatScore } from "@/components/numbers/format";

type Cell = NamedTable["table"]["rows"][number][number];

/** A column's name in words. */
export function headingOf(column: string): string {
  return column
    .replace(/_per_s_(median|q1|q3)$/, "/s, $1")
    .replace(/_s_(median|q1|q3)$/, " (s), $1")
    .replaceAll("_", " ");
}

/** A cell as its column reads it: p values as .012, per cent with sign, counts whole, scores with 4 decimals. */
export function textOf(value: Cell, column: string): string | null {
  if (value === null || value === "") return null;
  if (typeof value === "string") return value;
  if (/^p($|_)/.test(column)) return formatP(value);
  if (/_pct$|percent|%/.test(column)) return formatPercent(value);
  if (/threshold/.test(column)) return String(Number(value.toFixed(4)));
  if (Number.isInteger(value) && !/cps|gain|cv|balance|rho|share|rate|coverage/.test(column)) {
    return formatCount(value);
  }
  return formatScore(value, Math.abs(value) >= 100 ? 1 : 4);
}
