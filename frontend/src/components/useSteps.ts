import { useShortcuts } from "./shortcuts";

interface Steps {
  previous: () => void;
  next: () => void;
  /** Back to the list. */
  up: () => void;
}

/** Whether a key that points sideways scrolls something between what has the focus and the page. */
function isScrolledSideways(target: EventTarget | null): boolean {
  for (let part = target instanceof Element ? target : null; part; part = part.parentElement) {
    if (part === document.body) return false;
    if (part.scrollWidth > part.clientWidth && /auto|scroll/.test(getComputedStyle(part).overflowX))
      return true;
  }
  return false;
}

/** From one row of a list to its neighbours by ← and →, k and j, and back to the list by u, unless they are switched off. */
export function useSteps({ previous, next, up }: Steps): void {
  const unlessScrolling = (step: () => void) => (event: KeyboardEvent) => {
    if (isScrolledSideways(event.target)) return;
    event.preventDefault();
    step();
  };
  useShortcuts([
    ["ArrowLeft", unlessScrolling(previous), { preventDefault: false }],
    ["k", previous],
    ["ArrowRight", unlessScrolling(next), { preventDefault: false }],
    ["j", next],
    ["u", up],
  ]);
}
