import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

/**
 * Calls `before` when the page is about to be printed, and `after` when it was; returns what ends this.
 *
 * What opens a folded part listens with `capture`, so that others can measure what is inside.
 */
export function onPrint(before: () => void, after: () => void, capture = false): () => void {
  addEventListener("beforeprint", before, capture);
  addEventListener("afterprint", after, capture);
  return () => {
    removeEventListener("beforeprint", before, capture);
    removeEventListener("afterprint", after, capture);
  };
}

const SCHEME = "data-mantine-color-scheme";

/** Paper is white: has the page printed in light colours, whatever the screen shows; returns what ends this. */
export function printInLight(): () => void {
  const root = document.documentElement;
  let before: string | null = null;
  return onPrint(
    () => {
      before = root.getAttribute(SCHEME);
      root.setAttribute(SCHEME, "light");
    },
    () => {
      if (before !== null) root.setAttribute(SCHEME, before);
    },
  );
}

/**
 * What `look` returns when the page is about to be printed, else null.
 *
 * It is drawn at once, because the browser does not wait for a later frame.
 */
export function useOnPaper<Value>(look: () => Value): Value | null {
  const [seen, setSeen] = useState<Value | null>(null);
  useEffect(
    () =>
      onPrint(
        () => flushSync(() => setSeen(() => look())),
        () => setSeen(null),
      ),
    [look],
  );
  return seen;
}

const yes = () => true;

/** Whether the page is about to be printed: paper has no rows that come when they are scrolled to. */
export function usePrinting(): boolean {
  return useOnPaper(yes) ?? false;
}
