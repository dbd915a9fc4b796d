import * as Plot from "@observablehq/plot";
import type { Figure } from "@/api/types";
import { formatScore } from "@/components/numbers/format";
import {
  axisOf,
  BOTTOM_PX,
  crowding,
  LEFT_PX,
  nameTick,
  plainly,
  scalesOf,
  shortened,
  TOP_PX,
  ticksOf,
  tipOf,
  tooltipStyle,
  widthOf,
} from "./axes";
import { inkOn, type Look } from "./look";
import { decimals, filledOf, type HrefOf, type Named, namedRows } from "./rows";
import { scaleOf } from "./scale";
import { scatter } from "./scatter";

export interface Measures {
  width: number;
  look: Look;
  /** On paper no mark leads anywhere. */
  hrefOf?: HrefOf;
}

const ROW_PX = 26;
const BAR_PX = 120;
const MANY_CELLS = 14;
const SMALLEST_CELL_PX = 24;
const ROOMY_CELL_PX = 44;
const LINE_PX = 320;
const SIDE_PX = 20;
/** Names that are turned: the room of each, and below the drawing the usual one and that of the longest. */
const TURNED_PX = 16;
const TURNED_BOTTOM_PX = 134;
const MOST_BOTTOM_PX = 220;
const TURN_DEG = 60;
const TICK_PX = 16;
/** Names of drawings below each other, right of them. */
const NAMED_PX = 110;
const FONT_PX = 12;

export type PlotElement = ReturnType<typeof Plot.plot>;

/** A figure as SVG: a function of its data, its width and its colours alone. */
export function plotOf(figure: Figure, { width, look, hrefOf }: Measures): PlotElement {
  const shared: Plot.PlotOptions = {
    width,
    style: { background: "transparent", color: look.text, fontSize: `${FONT_PX}px`, overflow: "visible" },
    marginTop: TOP_PX,
    marginLeft: LEFT_PX,
    marginBottom: BOTTOM_PX,
  };
  const options = { ...shared, ...KINDS[figure.kind](figure, look, width, hrefOf ? { href: hrefOf } : {}) };
  return Plot.plot(options);
}

type Kind = (figure: Figure, look: Look, width: number, leads: { href?: HrefOf }) => Plot.PlotOptions;

const KINDS: Record<Figure["kind"], Kind> = { line, bar, scatter, heatmap, ranked };

const stars = ({ mark }: Named) => (mark.startsWith("*") ? mark : "");

function line(figure: Figure, look: Look, width: number, leads: { href?: HrefOf }): Plot.PlotOptions {
  const rows = namedRows(figure).filter((row) => !row.isBaseline && row.y !== null);
  const levels = namedRows(figure).filter((row) => row.isBaseline && row.y !== null);
  const banded = rows.filter((row) => row.low != null && row.high != null);
  const isNamed = figure.x.scale === "category";
  const names = figure.x.names.length > 0 ? figure.x.names : [...new Set(rows.map(({ x }) => x))];
  const named = namesBelow(isNamed ? names : [], width - LEFT_PX - SIDE_PX);
  return {
    ...scalesOf(figure, look),
    height: LINE_PX + named.extra,
    ...named.margins,
    // The middles of bins are no values that anybody looks for.
    x: { ...axisOf(figure.x), nice: false, ...(figure.is_stepped ? {} : ticksOf(rows)), ...named.axis },
    y: { ...axisOf(figure.y), grid: true, nice: figure.y.domain == null },
    marks: [
      Plot.ruleX(figure.verticals, { stroke: look.quiet, strokeDasharray: "3 3" }),
      Plot.ruleY(levels, { y: "y", stroke: "series", strokeDasharray: "5 4", strokeWidth: 1.5 }),
      // Named, because Plot takes a colour of many series for a quantity.
      Plot.areaY(banded, { z: "series", x: "x", y1: "low", y2: "high", fill: "series", fillOpacity: 0.13 }),
      ...(figure.is_stepped
        ? [
            Plot.areaY(rows, { x: "x", y1: 0, y2: "y", fill: "series", fillOpacity: 0.2, curve: "step" }),
            Plot.lineY(rows, { x: "x", y: "y", stroke: "series", strokeWidth: 1.5, curve: "step" }),
          ]
        : [
            Plot.lineY(rows, { z: "series", x: "x", y: "y", stroke: "series", strokeWidth: 2 }),
            Plot.dot(rows, {
              x: "x",
              y: "y",
              stroke: "series",
              fill: "series",
              symbol: "series",
              r: 4,
              ...leads,
            }),
          ]),
      Plot.text(rows, { x: "x", y: "y", text: stars, dy: -11, fill: look.text, fontSize: 13 }),
      Plot.tip(rows, Plot.pointer({ x: "x", y: "y", title: tipOf(figure), ...tooltipStyle(look) })),
    ],
  };
}

/** Labels of names below a drawing: turned where they have no room side by side; numbers leave some out instead. */
function namesBelow(names: readonly (number | string)[], room: number) {
  const crowd = crowding(names, room);
  const isTurned = crowd > 1 && names.some((name) => typeof name !== "number");
  const each = isTurned ? Math.ceil((names.length * TURNED_PX) / room) : crowd;
  const ticks = names.filter((_, place) => place % each === 0);
  const falls = Math.sin((TURN_DEG * Math.PI) / 180);
  const bottom = Math.min(MOST_BOTTOM_PX, Math.max(TURNED_BOTTOM_PX, widthOf(names) * falls + TICK_PX));
  const turned = {
    tickRotate: -TURN_DEG,
    label: null,
    tickFormat: (name: number | string) => shortened(plainly(name), (bottom - TICK_PX) / falls),
  };
  return {
    extra: isTurned ? bottom - BOTTOM_PX : 0,
    margins: isTurned ? { marginBottom: bottom } : {},
    axis: names.length === 0 ? {} : { domain: names, ticks, ...(isTurned ? turned : {}) },
  };
}

/** What a bar's colour stands for: a significant gain, a significant loss, or neither. */
function colourOf(row: Named, look: Look): string {
  if (!row.mark.startsWith("*") || typeof row.y !== "number") return look.none;
  return row.y > 0 ? look.gain : look.loss;
}

function bar(figure: Figure, look: Look, width: number, leads: { href?: HrefOf }): Plot.PlotOptions {
  const rows = namedRows(figure).filter((row) => !row.isBaseline && row.y !== null);
  const ranged = rows.filter((row) => row.low != null && row.high != null);
  const top = (row: Named) => Math.max(0, Number(row.y), row.high ?? 0);
  const several = figure.series.length > 1;
  const isFlat = rows.every((row) => row.y === 0 && !row.low && !row.high);
  const facet = several ? { fy: "series" } : {};
  const names = [...new Set(namedRows(figure).flatMap(({ x, isBaseline }) => (isBaseline ? [] : [x])))];
  const right = several
    ? Math.max(NAMED_PX, Math.min(width / 3, TICK_PX + widthOf(figure.series.map(({ name }) => name))))
    : SIDE_PX;
  const named = namesBelow(names, width - LEFT_PX - right);
  return {
    height: (several ? BAR_PX : 2.2 * BAR_PX) * figure.series.length + 70 + named.extra,
    marginRight: right,
    ...named.margins,
    ...(several ? { fy: { label: null, domain: figure.series.map(({ name }) => name) } } : {}),
    x: {
      ...axisOf({ ...figure.x, scale: "category" }),
      tickFormat: nameTick,
      ...named.axis,
    },
    // Where nothing differs there is no range to draw in.
    y: { ...axisOf(figure.y), grid: true, nice: true, ticks: 4, ...(isFlat ? { domain: [-1, 1] } : {}) },
    marks: [
      ...(several ? [Plot.axisFy({ label: null, lineWidth: (right - TICK_PX) / FONT_PX })] : []),
      Plot.barY(rows, {
        ...facet,
        z: null,
        x: "x",
        y: "y",
        fill: (row: Named) => colourOf(row, look),
        insetLeft: 1,
        insetRight: 1,
        ...leads,
      }),
      Plot.ruleX(ranged, { ...facet, x: "x", y1: "low", y2: "high", stroke: look.text, strokeWidth: 1.2 }),
      Plot.text(rows, { ...facet, x: "x", y: top, text: stars, dy: -8, fill: look.text, fontSize: 13 }),
      Plot.ruleY([0], { stroke: look.quiet }),
      Plot.tip(
        rows,
        Plot.pointerX({ ...facet, x: "x", y: "y", title: tipOf(figure), ...tooltipStyle(look) }),
      ),
    ],
  };
}

/** Names down the side, the largest value first; values and their intervals across. */
function ranked(figure: Figure, look: Look, width: number, leads: { href?: HrefOf }): Plot.PlotOptions {
  const rows = namedRows(figure)
    .filter((row) => row.y !== null)
    .sort((one, other) => Number(other.y) - Number(one.y));
  const ranged = rows.filter((row) => row.low != null && row.high != null);
  const names = rows.map(({ x }) => plainly(x));
  const labels = Math.min(width / 2, Math.max(0, ...names.map((name) => name.length)) * 7 + 14);
  const filled = filledOf(figure);
  const name = ({ x }: Named) => plainly(x);
  const point = { x: "y", y: name, stroke: "series", symbol: "series", r: 4.5, strokeWidth: 1.8 };
  return {
    ...scalesOf(figure, look),
    height: rows.length * ROW_PX + 74,
    marginLeft: labels,
    marginRight: 20,
    x: { ...axisOf(figure.y), grid: true, nice: true },
    y: {
      type: "point",
      domain: names,
      label: null,
      padding: 0.5,
      tickFormat: (each: string) => shortened(each, labels - 14),
    },
    marks: [
      Plot.ruleX([0], { stroke: look.quiet }),
      Plot.ruleX(figure.verticals, { stroke: look.quiet, strokeDasharray: "3 3" }),
      Plot.ruleY(ranged, { y: name, x1: "low", x2: "high", stroke: "series", strokeWidth: 1.5 }),
      Plot.dot(rows, { ...point, ...leads }),
      Plot.dot(
        rows.filter(({ series }) => filled.has(series)),
        { ...point, fill: "series", ...leads },
      ),
      Plot.tip(rows, Plot.pointerY({ x: "y", y: name, title: tipOf(figure), ...tooltipStyle(look) })),
    ],
  };
}

function heatmap(figure: Figure, look: Look, width: number, leads: { href?: HrefOf }): Plot.PlotOptions {
  const rows = namedRows(figure);
  const [across, down] = [new Set(rows.map(({ x }) => x)), new Set(rows.map(({ y }) => y))];
  const { colour } = scaleOf(figure, look);
  const fill = ({ value }: Named) => (value == null ? look.surface : colour(value));
  const digits = decimals(rows.map(({ value }) => value)) === 4 ? 2 : 1;
  const longest = Math.max(...[...down].map((name) => String(name).length));
  const labels = Math.min(width / 3, longest * 7 + 14);
  const cell = (width - labels - 20) / across.size;
  const isWide = across.size > MANY_CELLS;
  const text = (row: Named) => {
    if (row.value == null) return "–";
    if (stars(row)) return `${formatScore(row.value, digits)}${row.mark}`;
    return cell < SMALLEST_CELL_PX ? "" : formatScore(row.value, digits);
  };
  return {
    height: down.size * (isWide ? Math.max(13, cell) : ROW_PX + 8) + (isWide ? 150 : 66),
    marginLeft: labels,
    marginBottom: isWide ? 130 : 44,
    padding: 0,
    x: {
      ...axisOf({ ...figure.x, scale: "category" }),
      domain: [...across],
      tickRotate: isWide ? -60 : 0,
      tickFormat: nameTick,
      ...(isWide ? { label: null } : {}),
    },
    y: { ...axisOf({ ...figure.y, scale: "category" }), domain: [...down], label: null },
    marks: [
      Plot.cell(rows, { x: "x", y: "y", fill, inset: 0.5, ...leads }),
      Plot.text(rows, {
        x: "x",
        y: "y",
        text,
        fill: (row: Named) => inkOn(fill(row)),
        fontSize: cell < ROOMY_CELL_PX ? 9 : 11,
      }),
      Plot.tip(rows, Plot.pointer({ x: "x", y: "y", title: tipOf(figure), ...tooltipStyle(look) })),
    ],
  };
}
