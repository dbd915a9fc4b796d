import type { PlotElement } from "./plot";

/** A rectangle in the units of both axes; each range from its lower end to its upper one. */
export interface Area {
  x: [number, number];
  y: [number, number];
}

const SVG = "http://www.w3.org/2000/svg";
/** A shorter way is a press and no rectangle. */
const SHORTEST_PX = 5;
/** Scores are compared to this many decimals. */
const DECIMALS = 4;

interface Point {
  x: number;
  y: number;
}

/**
 * Let the reader draw a rectangle with a mouse or a pen over a figure that has two numeric axes. Touch still scrolls the
 * page. Returns a function that removes the rectangle and its listeners.
 */
export function brushOver(plot: PlotElement, colour: string, onSelect: (area: Area) => void): () => void {
  const frame = document.createElementNS(SVG, "rect");
  for (const [name, value] of [
    ["fill", colour],
    ["fill-opacity", "0.1"],
    ["stroke", colour],
    ["stroke-dasharray", "4 3"],
    ["pointer-events", "none"],
  ] as const) {
    frame.setAttribute(name, value);
  }
  const at = (event: PointerEvent): Point => {
    const { left, top, width } = plot.getBoundingClientRect();
    const scale = width > 0 ? Number(plot.getAttribute("width") ?? width) / width : 1;
    return { x: (event.clientX - left) * scale, y: (event.clientY - top) * scale };
  };
  let start: Point | null = null;
  const move = (event: PointerEvent) => {
    if (start) place(frame, start, at(event));
  };
  const end = (event: PointerEvent) => {
    const area = start && areaBetween(plot, start, at(event));
    start = null;
    if (area) onSelect(area);
    else frame.remove();
  };
  const begin = (event: PointerEvent) => {
    if (event.button !== 0 || event.pointerType === "touch") return;
    // The tip of a mark is not pinned beside the rectangle, and no text is selected.
    event.stopPropagation();
    event.preventDefault();
    start = at(event);
    place(frame, start, start);
    plot.append(frame);
  };
  plot.addEventListener("pointerdown", begin as EventListener, true);
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", end);
  return () => {
    plot.removeEventListener("pointerdown", begin as EventListener, true);
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", end);
    frame.remove();
  };
}

function place(frame: Element, one: Point, other: Point): void {
  frame.setAttribute("x", String(Math.min(one.x, other.x)));
  frame.setAttribute("y", String(Math.min(one.y, other.y)));
  frame.setAttribute("width", String(Math.abs(one.x - other.x)));
  frame.setAttribute("height", String(Math.abs(one.y - other.y)));
}

/** What lies between two corners in pixels; null where they are too near, or an axis has no numbers. */
export function areaBetween(plot: Pick<PlotElement, "scale">, one: Point, other: Point): Area | null {
  if (Math.hypot(one.x - other.x, one.y - other.y) < SHORTEST_PX) return null;
  const range = (name: "x" | "y"): [number, number] | null => {
    const invert = plot.scale(name)?.invert;
    if (!invert) return null;
    const ends = [one[name], other[name]].map((pixel) => Number(Number(invert(pixel)).toFixed(DECIMALS)));
    return [Math.min(...ends), Math.max(...ends)];
  };
  const [x, y] = [range("x"), range("y")];
  return x && y ? { x, y } : null;
}
