import type * as Plot from "@observablehq/plot";
import type { Figure } from "@/api/types";
import { formatCount, formatP, formatPlain, formatScore } from "@/components/numbers/format";
import { t } from "@/words";
import { lookOf } from "./keys";
import type { Look } from "./look";
import { decimals, heading, type Named, namedRows } from "./rows";

/** Room around a drawing for its axes. */
export const LEFT_PX = 64;
export const TOP_PX = 22;
export const BOTTOM_PX = 44;

const MOST_TICKS = 12;
const LETTER_PX = 7;

export function scalesOf(figure: Figure, look: Look): Pick<Plot.PlotOptions, "color" | "symbol"> {
  const domain = figure.series.map(({ name }) => name);
  const looks = domain.map((_, place) => lookOf(place, look));
  return {
    color: { domain, range: looks.map(({ colour }) => colour) },
    symbol: { domain, range: looks.map(({ shape }) => shape) },
  };
}

/** An axis; fixed ends and names in the order of the rows where it has them. */
export function axisOf(axis: Figure["x"]): Plot.ScaleOptions {
  return {
    label: heading(axis),
    labelAnchor: "center",
    ...(axis.domain ? { domain: axis.domain } : {}),
    ...(axis.scale === "category" ? { type: "band" as const } : { tickFormat: formatTick }),
    // The library writes next to a logarithmic axis only what it chooses, often one number; this one writes all ticks.
    ...(axis.scale === "log" ? { type: "symlog" as const } : {}),
  };
}

/** A number along an axis, with as many decimals as its neighbours need. */
export function formatTick(value: number, _: number, ticks: readonly number[] = [value]): string {
  const digits = Math.max(
    ...ticks.map((tick) => (String(Number(tick.toFixed(6))).split(".")[1] ?? "").length),
  );
  return digits === 0 ? formatCount(value) : formatScore(value, digits);
}

/** A name or a number along an axis, numbers with as many decimals as their neighbours need. */
export function nameTick(
  value: number | string,
  at: number,
  ticks: readonly (number | string)[] = [value],
): string {
  return typeof value === "number"
    ? formatTick(
        value,
        at,
        ticks.filter((tick) => typeof tick === "number"),
      )
    : value;
}

/** Tooltip of a mark. */
export function tipOf(figure: Figure): (row: Named) => string {
  const measured = figure.kind === "heatmap" && figure.color ? figure.color : figure.y;
  const digits = decimals(namedRows(figure).map((row) => (figure.kind === "heatmap" ? row.value : row.y)));
  return (row) => {
    const value = figure.kind === "heatmap" ? row.value : row.y;
    const shown = typeof value === "number" ? formatScore(value, digits) : t("no value");
    const range =
      row.low != null && row.high != null
        ? `\n${t("95 % CI {low} to {high}", { low: formatScore(row.low, digits), high: formatScore(row.high, digits) })}`
        : "";
    const test = row.p == null ? "" : `\np ${formatP(row.p)} ${row.mark}`;
    const count = row.n == null ? "" : `\nn = ${formatCount(row.n)}`;
    return `${row.label || row.series}\n${heading(measured)}: ${shown}${range}${test}${count}`;
  };
}

/** The values themselves along the axis, while there are few. */
export function ticksOf(rows: readonly Named[]): Plot.ScaleOptions {
  const values = [...new Set(rows.map(({ x }) => x))].filter((x) => typeof x === "number");
  return values.length > 0 && values.length <= MOST_TICKS ? { ticks: values, tickFormat: formatTick } : {};
}

/** The room that the longest of these names takes. */
export function widthOf(names: readonly (number | string)[]): number {
  return LETTER_PX * Math.max(0, ...names.map((name, at) => nameTick(name, at, names).length));
}

/** How many labels of an axis share the room of one, at least 1. */
export function crowding(names: readonly (number | string)[], room: number): number {
  return Math.max(1, Math.ceil((widthOf(names) * names.length) / Math.max(1, room)));
}

/** A threshold without the noise of its binary form. */
export function plainly(value: number | string): string {
  return typeof value === "number" ? formatPlain(value) : value;
}

const MANTISSAS = [[1, 1.5, 2, 3, 4, 5, 6, 8], [1, 2, 5], [1]] as const;
const MOST_ON_LOG = 5;

/** Round numbers between two positive ends, for a logarithmic axis: as many as can be read side by side. */
export function logTicks([low, high]: readonly [number, number]): number[] {
  const first = Math.floor(Math.log10(low));
  const powers = Array.from(
    { length: Math.ceil(Math.log10(high)) - first + 1 },
    (_, step) => 10 ** (first + step),
  );
  const found = MANTISSAS.map((mantissas) =>
    powers
      .flatMap((power) => mantissas.map((mantissa) => mantissa * power))
      .filter((tick) => low <= tick && tick <= high),
  );
  return found.find(({ length }) => length <= MOST_ON_LOG) ?? found.at(-1) ?? [];
}

/** A name in this room: what does not fit is left out at its end. */
export function shortened(name: string, room: number): string {
  const most = Math.floor(room / LETTER_PX);
  return name.length <= most ? name : `${name.slice(0, Math.max(1, most - 1))}…`;
}

/** How what a mark says is set. */
export function tooltipStyle(look: Look) {
  return { fill: look.surface, stroke: look.quiet, textPadding: 8, fontSize: 12 };
}
