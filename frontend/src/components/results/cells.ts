import type { NamedTable } from "@/api/types";
import { formatCount, formatP, formatPercent, formatScore } from "@/components/numbers/format";
import { words } from "@/words";

type Cell = NamedTable["table"]["rows"][number][number];

/** A cell as its column reads it: p values as .012, per cent with sign, counts whole, scores with 4 decimals. */
export function textOf(value: Cell, column: string): string | null {
  if (value === null || value === "") return null;
  if (typeof value === "string") return words.told.cell(column, value);
  if (/^p($|_)/.test(column)) return formatP(value);
  if (/_pct$|percent|%/.test(column)) return formatPercent(value);
  if (/threshold/.test(column)) return String(Number(value.toFixed(4)));
  if (Number.isInteger(value) && !/cps|gain|cv|balance|rho|share|rate|coverage/.test(column)) {
    return formatCount(value);
  }
  return formatScore(value, Math.abs(value) >= 100 ? 1 : 4);
}
