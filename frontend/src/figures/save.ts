import type { Figure } from "@/api/types";
import { keysOf, PALE } from "./keys";
import { DAY } from "./look";

const SVG = "http://www.w3.org/2000/svg";
const TITLE_PX = 30;
const LINE_PX = 18;
const NOTE_PX = 16;
const PADDING = 16;
const CHARACTER_PX = 6.4;
/** Dots per point: a figure of 860 px is 18 cm wide at 300 dots to the inch. */
const DENSITY = 2.5;

/** A file out of the page. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The download has begun by then; the address is no longer needed.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function saveText(text: string, name: string, type: string): void {
  saveBlob(new Blob([text], { type: `${type};charset=utf-8` }), name);
}

function element(name: string, attributes: Record<string, string | number>, text?: string): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Words put into lines of about so many characters. */
export function wrapped(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function legend(figure: Figure, width: number): { part: SVGElement; height: number } {
  const part = element("g", { "font-size": 12 });
  let [x, y] = [0, 0];
  for (const { name, colour, path, isDashed, isOutline, isPale } of keysOf(figure, DAY)) {
    const room = 26 + name.length * CHARACTER_PX;
    if (x > 0 && x + room > width) [x, y] = [0, y + LINE_PX];
    const key = element("g", { transform: `translate(${x + 7},${y})` });
    const line = { stroke: colour, "stroke-width": 2, "stroke-dasharray": "4 3" };
    const outline = { stroke: colour, "stroke-width": 1.6, fill: "none" };
    const area = { fill: colour, "fill-opacity": isPale ? 2 * PALE : 1 };
    key.append(element("path", { d: path, ...(isDashed ? line : isOutline ? outline : area) }));
    key.append(element("text", { x: 12, y: 4, fill: DAY.text }, name));
    part.append(key);
    x += room + 12;
  }
  return { part, height: part.childNodes.length > 0 ? y + LINE_PX : 0 };
}

/** The figure as one picture for print: title, legend, drawing and notes, on white. */
export async function pictureOf(figure: Figure, width: number): Promise<SVGElement> {
  const { plotOf } = await import("./plot");
  const inner = width - 2 * PADDING;
  const drawn = plotOf(figure, { width: inner, look: DAY });
  const drawing = drawn.tagName.toLowerCase() === "svg" ? drawn : drawn.querySelector("svg");
  const tall = Number(drawing?.getAttribute("height") ?? 0);
  const notes = wrapped(figure.notes.join(" "), inner / CHARACTER_PX);
  const keys = legend(figure, inner);
  const top = PADDING + TITLE_PX + keys.height;
  const height = top + tall + notes.length * NOTE_PX + PADDING;
  const picture = element("svg", {
    xmlns: SVG,
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    "font-family": "system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif",
  });
  picture.append(element("title", {}, figure.title));
  picture.append(element("rect", { width, height, fill: "#ffffff" }));
  const title = { x: PADDING, y: PADDING + 14, "font-size": 15, "font-weight": 600, fill: DAY.text };
  picture.append(element("text", title, figure.title));
  keys.part.setAttribute("transform", `translate(${PADDING},${PADDING + TITLE_PX})`);
  picture.append(keys.part);
  if (drawing) {
    drawing.setAttribute("x", String(PADDING));
    drawing.setAttribute("y", String(top));
    picture.append(drawing);
  }
  notes.forEach((line, place) => {
    const y = top + tall + (place + 1) * NOTE_PX;
    picture.append(element("text", { x: PADDING, y, "font-size": 11, fill: DAY.quiet }, line));
  });
  return picture;
}

export async function saveSvg(figure: Figure, width: number): Promise<void> {
  const picture = await pictureOf(figure, width);
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(picture)}`;
  saveText(text, `${figure.id}.svg`, "image/svg+xml");
}

export async function savePng(figure: Figure, width: number): Promise<void> {
  const picture = await pictureOf(figure, width);
  const text = new XMLSerializer().serializeToString(picture);
  const image = new Image();
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml;charset=utf-8" }));
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * DENSITY;
  canvas.height = Number(picture.getAttribute("height")) * DENSITY;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (blob) saveBlob(blob, `${figure.id}.png`);
}
