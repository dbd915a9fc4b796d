import * as Plot from "@observablehq/plot";
import type { Figure } from "@/api/types";
import { axisOf, BOTTOM_PX, LEFT_PX, logTicks, plainly, scalesOf, TOP_PX, tipOf, tooltipStyle } from "./axes";
import { PALE } from "./keys";
import { bySide, sidesOf } from "./labels";
import type { Look } from "./look";
import { filledOf, frontier, type HrefOf, type Named, namedRows } from "./rows";

const SCATTER_PX = 380;
/** Radius of the mark of one question or configuration. */
const POINT_PX = 4.5;
/** For the name of the last point. */
const RIGHT_PX = 110;
/** Radius of the largest mark for several questions. */
const LARGEST_PX = 26;
/** Outlines of what a figure singles out, as in its legend; one point may have both. */
const AROUND = [
  { symbol: "square", r: 11 },
  { symbol: "circle", r: 8 },
  { symbol: "diamond2", r: 9 },
] as const;

/** Points by two numbers, with their intervals; the best of each cost joined by a staircase where a figure has one. */
export function scatter(
  figure: Figure,
  look: Look,
  width: number,
  leads: { href?: HrefOf },
): Plot.PlotOptions {
  const rows = namedRows(figure).filter((row) => row.y !== null);
  const values = rows.flatMap(({ x, y }) => [x, y]).filter((value) => typeof value === "number");
  const ends: [number, number] = [Math.min(...values), Math.max(...values)];
  const diagonal = figure.has_diagonal && values.length > 0;
  const ranged = rows.filter((row) => row.low != null && row.high != null);
  const stairs = figure.has_frontier ? frontier(rows) : [];
  const isLog = figure.x.scale === "log";
  const costs = rows.map(({ x }) => Number(x));
  const range: [number, number] = [Math.min(...costs), Math.max(...costs)];
  const [low, high] = figure.band ?? [];
  const x: Plot.ScaleOptions = {
    ...axisOf(figure.x),
    grid: !isLog,
    nice: !isLog,
    ...(isLog && costs.length > 0
      ? { constant: range[0] / 1000, ticks: logTicks(range), tickFormat: plainly }
      : {}),
  };
  const y: Plot.ScaleOptions = { ...axisOf(figure.y), grid: true, nice: true };
  const filled = filledOf(figure);
  const singled = rows.filter(isSingled);
  const named = [...stairs.filter((row) => !singled.includes(row)), ...singled];
  // The area of a mark that stands for several questions is theirs.
  const largest = Math.sqrt(Math.max(1, ...rows.map(({ n }) => n ?? 1)));
  const unit = Math.min(POINT_PX, LARGEST_PX / largest);
  const size = figure.is_sized ? { r: (row: Named) => unit * Math.sqrt(row.n ?? 1) } : { r: POINT_PX };
  const point = { x: "x", y: "y", stroke: "series", symbol: "series", ...size, strokeWidth: 1.8 };
  return {
    ...scalesOf(figure, look),
    ...(figure.is_sized
      ? { r: { type: "identity" } as Plot.ScaleOptions, inset: Math.round(unit * largest) }
      : {}),
    height: SCATTER_PX,
    ...(figure.has_frontier ? { marginRight: RIGHT_PX } : {}),
    x,
    y,
    marks: [
      low === undefined || high === undefined
        ? null
        : Plot.rectY([{ low, high }], { y1: "low", y2: "high", fill: look.quiet, fillOpacity: PALE }),
      Plot.ruleY(figure.horizontals, { stroke: look.quiet, strokeDasharray: "5 4", strokeWidth: 1.5 }),
      diagonal
        ? Plot.line(
            ends.map((value) => [value, value] as [number, number]),
            { stroke: look.quiet, strokeDasharray: "5 4" },
          )
        : null,
      figure.has_frontier
        ? Plot.line(stairs, {
            x: "x",
            y: "y",
            curve: "step-after",
            stroke: look.quiet,
            strokeWidth: 1.2,
          })
        : null,
      Plot.ruleX(ranged, { x: "x", y1: "low", y2: "high", stroke: "series", strokeWidth: 1.5 }),
      Plot.dot(rows, { ...point, ...leads }),
      Plot.dot(
        rows.filter(({ series }) => filled.has(series)),
        { ...point, fill: "series", ...leads },
      ),
      ...figure.highlights.map((highlight, place) =>
        Plot.dot(
          rows.filter(({ highlights }) => highlights.includes(highlight)),
          {
            x: "x",
            y: "y",
            stroke: look.text,
            strokeWidth: 1.6,
            pointerEvents: "none",
            ...AROUND[place % AROUND.length],
          },
        ),
      ),
      // The names of others would cover one another; their tips say them.
      ...(named.length > 0 ? namesOf(named, rows, { x, y, width, figure, look }) : []),
      Plot.tip(rows, Plot.pointer({ x: "x", y: "y", title: tipOf(figure), ...tooltipStyle(look) })),
    ],
  };
}

interface Drawn {
  x: Plot.ScaleOptions;
  y: Plot.ScaleOptions;
  width: number;
  figure: Figure;
  look: Look;
}

const isSingled = ({ highlights }: Named) => highlights.length > 0;

/** The names of some of the points, where they cover neither one another nor a point. */
function namesOf(named: Named[], rows: Named[], { x, y, width, figure, look }: Drawn) {
  const ends = rows.flatMap((row) => [Number(row.y), row.low, row.high]).concat(figure.band ?? []);
  const across = Plot.scale({
    x: { ...x, domain: extent(rows.map((row) => Number(row.x))), range: [LEFT_PX, width - RIGHT_PX] },
  });
  const up = Plot.scale({ y: { ...y, domain: extent(ends), range: [SCATTER_PX - BOTTOM_PX, TOP_PX] } });
  const spotOf = (row: Named) => ({
    x: across.apply(row.x),
    y: up.apply(row.y),
    name: row.label,
    isNeeded: isSingled(row),
  });
  const others = rows.filter((row) => !named.includes(row));
  const sides = sidesOf(named.map(spotOf), others.map(spotOf), width);
  return bySide(named, sides).flatMap(({ side, rows: own }) =>
    [400, 700].map((fontWeight) =>
      Plot.text(
        own.filter((row) => isSingled(row) === fontWeight > 400),
        {
          x: "x",
          y: "y",
          text: "label",
          fill: look.text,
          fontWeight,
          ...side,
          dx: side.dx * (fontWeight > 400 ? 1.6 : 1),
        },
      ),
    ),
  );
}

function extent(values: readonly (number | null | undefined)[]): [number, number] {
  const known = values.filter((value) => typeof value === "number");
  return [Math.min(...known), Math.max(...known)];
}
