import clsx from "clsx";
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef } from "react";
import { t } from "@/words";
import classes from "./evaluation.module.css";
import type { MovableCut } from "./useCut";

const CUT_NAME = { similarity: t("Similarity threshold"), count: t("Number of passages kept") };
const LEAP = 10;
const EDGE_PX = 48;
const SCROLL_PX = 16;

/** A line that only shows where the ranking is cut. */
export function FixedLine({ text, isQuiet = false }: { text: string; isQuiet?: boolean }) {
  return (
    <li className={clsx(classes.cut, isQuiet && classes.own)}>
      <span>{text}</span>
    </li>
  );
}

interface Props {
  cut: MovableCut;
  text: string;
  /** The meaning of the line at its present place, for screen readers. */
  meaning: string;
  total: number;
  list: RefObject<HTMLOListElement | null>;
}

/** Number of passages of the list above a point of the window. */
function passagesAbove(list: HTMLOListElement | null, y: number): number {
  const items = list?.querySelectorAll<HTMLElement>("[data-passage]") ?? [];
  return [...items].filter((item) => {
    const { top, height } = item.getBoundingClientRect();
    return top + height / 2 < y;
  }).length;
}

/** The line between what is kept and the rest: a slider within the list, dragged or moved by the arrow keys. */
export function MovableLine({ cut, text, meaning, total, list }: Props) {
  const handle = useRef<HTMLDivElement>(null);
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the move is the event: who moves the line by key sees it
  useEffect(() => {
    if (handle.current === document.activeElement) handle.current?.scrollIntoView({ block: "nearest" });
  }, [cut.kept]);

  const grab = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.preventDefault();
    handle.current?.focus({ preventScroll: true });
    // The handle moves within the list while it is dragged, so the window follows the pointer.
    const place = ({ clientY }: { clientY: number }) => passagesAbove(list.current, clientY);
    const move = (moved: globalThis.PointerEvent) => {
      if (moved.clientY > window.innerHeight - EDGE_PX) window.scrollBy(0, SCROLL_PX);
      if (moved.clientY < EDGE_PX) window.scrollBy(0, -SCROLL_PX);
      cut.drag(place(moved));
    };
    const end = (released: globalThis.PointerEvent) => {
      stop.current?.();
      // A click that moves nothing leaves the line where it is.
      const isDropped = released.type === "pointerup" && Math.abs(released.clientY - event.clientY) > 2;
      cut.drop(isDropped ? place(released) : null);
    };
    const events = [
      ["pointermove", move],
      ["pointerup", end],
      ["pointercancel", end],
    ] as const;
    for (const [name, listen] of events) window.addEventListener(name, listen);
    stop.current = () => {
      for (const [name, listen] of events) window.removeEventListener(name, listen);
      stop.current = null;
    };
  };

  const keys: Record<string, () => void> = {
    ArrowDown: () => cut.step(1),
    ArrowUp: () => cut.step(-1),
    PageDown: () => cut.step(LEAP),
    PageUp: () => cut.step(-LEAP),
    Home: () => cut.toEnd("first"),
    End: () => cut.toEnd("last"),
    Escape: cut.reset,
  };
  const press = (event: KeyboardEvent) => {
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  const isCount = cut.line.by === "count";
  return (
    <li>
      <div
        ref={handle}
        role="slider"
        tabIndex={0}
        className={clsx(classes.cut, classes.movable)}
        aria-label={CUT_NAME[cut.line.by]}
        aria-orientation="vertical"
        aria-valuemin={isCount ? 0 : -1}
        aria-valuemax={isCount ? total : 1}
        aria-valuenow={cut.line.at}
        aria-valuetext={meaning}
        title={t("Drag the dashed line, or press ↑ and ↓, to see how many passages another setting keeps.")}
        onPointerDown={grab}
        onKeyDown={press}
      >
        <span>
          <span aria-hidden="true">↕ </span>
          {text}
        </span>
      </div>
    </li>
  );
}
