import type { Figure } from "@/api/types";
import { formatScore } from "@/components/numbers/format";
import { t } from "@/words";
import type { Look } from "./look";
import { decimals, filledOf } from "./rows";
import { scaleOf } from "./scale";

/** One line of a legend. */
export interface Key {
  name: string;
  colour: string;
  /** Outline within a square of 14, around 0. */
  path: string;
  isDashed?: boolean;
  /** Drawn as a line around nothing. */
  isOutline?: boolean;
  /** Pale, as a shaded range is. */
  isPale?: boolean;
}

const SHAPES = ["circle", "square", "triangle", "diamond2", "star", "wye", "cross", "hexagon"] as const;

const SQUARE = "M-5,-5H5V5H-5Z";
const FRAME = "M-6,-6H6V6H-6Z";
const RING = "M6.5,0A6.5,6.5,0,1,1,-6.5,0A6.5,6.5,0,1,1,6.5,0Z";
/** What is drawn around rows that a figure singles out, in the order of its highlights. */
const OUTLINES = [FRAME, RING, "M0,-7L7,0L0,7L-7,0Z"] as const;
const LEVEL = "M-7,0H7";
const BAND = "M-7,-5H7V5H-7Z";
/** Of a shaded range, in the legend and in the drawing. */
export const PALE = 0.15;
const PATHS: Record<(typeof SHAPES)[number], string> = {
  circle: "M5,0A5,5,0,1,1,-5,0A5,5,0,1,1,5,0Z",
  square: SQUARE,
  triangle: "M0,-6L5.5,4.5H-5.5Z",
  diamond2: "M0,-6L6,0L0,6L-6,0Z",
  star: "M0,-6L1.5,-1.9L5.7,-1.9L2.4,0.7L3.6,4.9L0,2.4L-3.6,4.9L-2.4,0.7L-5.7,-1.9L-1.5,-1.9Z",
  wye: "M-1.8,-1L-6,-3.4L-4.2,-6L0,-3.6L4.2,-6L6,-3.4L1.8,-1V5.5H-1.8Z",
  cross: "M-1.9,-5.7H1.9V-1.9H5.7V1.9H1.9V5.7H-1.9V1.9H-5.7V-1.9H-1.9Z",
  hexagon: "M0,-6L5.2,-3V3L0,6L-5.2,3V-3Z",
};

/** Colour and shape of the series at a place. */
export function lookOf(place: number, look: Look) {
  return {
    colour: look.series[place % look.series.length] ?? look.text,
    shape: SHAPES[place % SHAPES.length] ?? "circle",
  };
}

/** What colours and shapes of a figure stand for. */
export function keysOf(figure: Figure, look: Look): Key[] {
  if (figure.kind === "heatmap") {
    const { ends, colour } = scaleOf(figure, look);
    const digits = Math.min(2, decimals(ends));
    return ends.map((value) => ({ name: formatScore(value, digits), colour: colour(value), path: SQUARE }));
  }
  if (figure.kind === "bar") {
    return [
      { name: t("significant gain"), colour: look.gain, path: SQUARE },
      { name: t("significant loss"), colour: look.loss, path: SQUARE },
      { name: t("not significant"), colour: look.none, path: SQUARE },
    ];
  }
  const filled = filledOf(figure);
  const series = figure.series.map(({ name }, place) => {
    const { colour, shape } = lookOf(place, look);
    return { name, colour, path: PATHS[shape], isOutline: figure.kind !== "line" && !filled.has(name) };
  });
  const singled = figure.highlights.map((name, place) => ({
    name,
    colour: look.text,
    path: OUTLINES[place % OUTLINES.length] ?? RING,
    isOutline: true,
  }));
  const shaded = figure.band_name
    ? [{ name: figure.band_name, colour: look.quiet, path: BAND, isPale: true }]
    : [];
  const hasLevel = figure.kind === "line" && figure.series.some(({ baseline }) => baseline?.y != null);
  return hasLevel
    ? [...series, { name: t("baseline (dashed)"), colour: look.quiet, path: LEVEL, isDashed: true }]
    : [...series, ...singled, ...shaded];
}
