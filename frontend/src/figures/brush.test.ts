import { expect, test, vi } from "vitest";
import { areaBetween, brushOver } from "./brush";
import { DAY } from "./look";
import { plotOf } from "./plot";
import { aFigure, aRow } from "./sample";

const rows = [aRow({ x: 0, y: 0 }), aRow({ x: 1, y: 2 })];
const plot = () =>
  plotOf(aFigure({ kind: "scatter", series: [{ name: "a", rows, baseline: null, is_filled: false }] }), {
    width: 600,
    look: DAY,
  });
const pixel = (svg: ReturnType<typeof plot>, x: number, y: number) => ({
  x: Number(svg.scale("x")?.apply(x)),
  y: Number(svg.scale("y")?.apply(y)),
});

test("two corners, in whichever order, are a rectangle in the units of the axes", () => {
  const svg = plot();
  const [one, other] = [pixel(svg, 0.25, 1.5), pixel(svg, 0.75, 0.5)];
  expect(areaBetween(svg, one, other)).toEqual({ x: [0.25, 0.75], y: [0.5, 1.5] });
  expect(areaBetween(svg, other, one)).toEqual({ x: [0.25, 0.75], y: [0.5, 1.5] });
  expect(areaBetween(svg, one, { x: one.x + 3, y: one.y }), "a press is no rectangle").toBeNull();
});

test("a mouse draws a rectangle, a finger scrolls", () => {
  const svg = plot();
  const onSelect = vi.fn();
  const remove = brushOver(svg, "#000000", onSelect);
  const go = (kind: string, { x, y }: { x: number; y: number }, pointerType = "mouse") => {
    const event = new MouseEvent(kind, { clientX: x, clientY: y, button: 0, bubbles: true });
    Object.assign(event, { pointerType });
    // Only what begins on the figure is its own; the pointer may leave it.
    (kind === "pointerdown" ? svg : window).dispatchEvent(event);
  };
  document.body.append(svg);
  const [one, other] = [pixel(svg, 0.25, 0.5), pixel(svg, 0.75, 1.5)];
  go("pointerdown", one, "touch");
  go("pointerup", other, "touch");
  expect(onSelect).not.toHaveBeenCalled();
  go("pointerdown", one);
  go("pointermove", other);
  expect(svg.querySelector("rect[pointer-events=none]")?.getAttribute("width")).toBe(String(other.x - one.x));
  go("pointerup", other);
  expect(onSelect).toHaveBeenCalledExactlyOnceWith({ x: [0.25, 0.75], y: [0.5, 1.5] });
  remove();
  expect(svg.querySelector("rect[pointer-events=none]")).toBeNull();
});
