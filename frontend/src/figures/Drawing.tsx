import { useRouter } from "@tanstack/react-router";
import { type MouseEvent, useEffect, useRef } from "react";
import type { Figure } from "@/api/types";
import { goalOfMark, type QuestionSource } from "@/components/results/questionSources";
import { type Area, brushOver } from "./brush";
import { type Measures, plotOf } from "./plot";
import type { Named } from "./rows";

const SVG = "http://www.w3.org/2000/svg";
const XLINK = "http://www.w3.org/1999/xlink";

interface Props extends Pick<Measures, "look" | "width"> {
  figure: Figure;
  sources: readonly QuestionSource[];
  /** Called with the rectangle that is drawn over a figure with two axes of numbers. */
  onSelect?: ((area: Area) => void) | undefined;
}

/** The figure on the page, drawn again when its data, width or colours change; a mark leads to its questions. */
export default function Drawing({ figure, look, width, sources, onSelect }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const router = useRouter();
  useEffect(() => {
    const hrefOf = (row: Named) => {
      const goal = goalOfMark(row, sources);
      return goal ? router.buildLocation(goal).href : null;
    };
    const drawn = plotOf(figure, { look, width, ...(sources.length > 0 ? { hrefOf } : {}) });
    for (const link of drawn.querySelectorAll("a")) link.replaceWith(pressable(link));
    place.current?.replaceChildren(drawn);
    return onSelect && brushOver(drawn, look.text, onSelect);
  }, [figure, look, width, sources, router, onSelect]);
  const follow = (event: MouseEvent) => {
    const href = hrefAt(event.target);
    if (href) router.history.push(href);
  };
  return (
    <div
      ref={place}
      aria-hidden="true"
      data-drawing
      onClick={follow}
      // What is pressed opens; it is not pinned down beside that.
      onPointerDownCapture={(event) => {
        if (hrefAt(event.target)) event.stopPropagation();
      }}
    />
  );
}

/** Where the mark that is pressed leads. */
function hrefAt(target: EventTarget): string | null {
  return target instanceof Element
    ? (target.closest("[data-href]")?.getAttribute("data-href") ?? null)
    : null;
}

/** A picture holds no links for those who do not see it, who have them in its table: a mark is only pressed. */
function pressable(link: SVGAElement | HTMLAnchorElement): SVGElement {
  const mark = document.createElementNS(SVG, "g");
  mark.setAttribute("data-href", link.getAttributeNS(XLINK, "href") ?? link.getAttribute("href") ?? "");
  mark.style.cursor = "pointer";
  mark.append(...link.childNodes);
  return mark;
}
