import { useEffect, useRef } from "react";

/** The id of the live region that announces a page where the focus stays. */
export const NEWS = "page-news";

let isExpected = false;

/** A page with another path is on its way: its heading takes the focus when it is drawn. */
export function expectPage(): void {
  isExpected = true;
}

/**
 * The heading of a page is drawn. After a navigation it takes the focus, so that reading and the Tab key go on there.
 * A control of the page that is still there keeps it ("Next" is pressed again and again): the page is then announced.
 */
export function arrive(heading: HTMLElement | null): void {
  if (!isExpected || heading === null) return;
  isExpected = false;
  const { activeElement } = document;
  const main = heading.closest("main");
  const isKept = activeElement !== main && main?.contains(activeElement);
  const news = document.getElementById(NEWS);
  if (news) news.textContent = isKept ? heading.textContent : "";
  // The router and the address decide where on the page to begin.
  if (!isKept) heading.focus({ preventScroll: true });
}

/**
 * For a dialog that is drawn only while it is open: when it is gone, what had the focus before has it again.
 *
 * Returns what is called where the focus is to go elsewhere.
 */
export function useFocusBefore(): () => void {
  // On the first drawing: soon after, the dialog takes the focus.
  const before = useRef(document.activeElement);
  useEffect(
    () => () => {
      const { current } = before;
      if (document.activeElement === document.body && current instanceof HTMLElement && current.isConnected)
        current.focus({ preventScroll: true });
    },
    [],
  );
  return () => {
    before.current = null;
  };
}

let last: EventTarget | null = null;
document.addEventListener("focusin", ({ target }) => {
  last = target;
});

/** Whether the focus was lost because the element that had it was removed. */
function isLost(): boolean {
  return document.activeElement === document.body && last instanceof Node && !last.isConnected;
}

/** Moves the focus to a part that replaces the focused one, so that Tab continues from there. It needs a tabIndex. */
export function useLeftFocus<Part extends HTMLElement>() {
  const part = useRef<Part>(null);
  useEffect(() => {
    if (isLost()) part.current?.focus({ preventScroll: true });
  }, []);
  return part;
}
