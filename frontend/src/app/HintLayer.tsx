import { useEffect, useRef } from "react";
import classes from "./HintLayer.module.css";

const GAP = 6;

/** Below what it explains, or above where there is no room; within the window. */
function place(box: HTMLElement, of: DOMRect): void {
  const { width, height } = box.getBoundingClientRect();
  const below = of.bottom + GAP;
  const top = below + height > window.innerHeight ? of.top - GAP - height : below;
  box.style.top = `${Math.max(GAP, top)}px`;
  box.style.left = `${Math.max(GAP, Math.min(of.left, window.innerWidth - width - GAP))}px`;
}

/** Shows on keyboard focus and on touch what a `title` says to a mouse; Escape, scrolling and leaving hide it. */
export function HintLayer() {
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = layer.current;
    if (!box) return;
    const hide = () => box.hidePopover?.();
    const show = (target: EventTarget | null) => {
      const explained = target instanceof Element ? target.closest("[title]") : null;
      if (!explained) return hide();
      box.textContent = explained.getAttribute("title");
      box.showPopover?.();
      place(box, explained.getBoundingClientRect());
    };
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.matches(":focus-visible")) show(target);
      else hide();
    };
    const onTouch = ({ target, pointerType }: PointerEvent) => {
      if (pointerType !== "mouse") show(target);
      else hide();
    };
    const onKey = ({ key }: KeyboardEvent) => key === "Escape" && hide();
    document.addEventListener("focusin", onFocus);
    document.addEventListener("focusout", hide);
    document.addEventListener("pointerup", onTouch);
    document.addEventListener("keydown", onKey);
    document.addEventListener("scroll", hide, { capture: true, passive: true });
    return () => {
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("focusout", hide);
      document.removeEventListener("pointerup", onTouch);
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("scroll", hide, { capture: true });
    };
  }, []);
  // Assistive technology reads the title itself.
  return <div ref={layer} popover="manual" aria-hidden="true" className={classes.hint} />;
}
