import { useLocation } from "@tanstack/react-router";
import { useEffect } from "react";

/** What readers do to leave the place that they arrived at. */
const ACTS = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

/**
 * Goes to the place that the address names once it is drawn, once per navigation: the router itself looks for it
 * before the data is there. Panels above it that are drawn later would push it out of sight, so the page stays with it
 * until the reader acts. `id` where a part of the page knows only of itself.
 */
export function useArrival(isShown: boolean, id?: string): void {
  const { hash, key } = useLocation({
    select: (location) => ({ hash: location.hash, key: location.state.__TSR_key }),
    structuralSharing: true,
  });
  const isMeant = hash !== "" && (id === undefined || id === hash);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key tells one navigation from the next
  useEffect(() => {
    if (!isShown || !isMeant) return;
    const arrive = () => document.getElementById(hash)?.scrollIntoView();
    arrive();
    const grown = new ResizeObserver(arrive);
    grown.observe(document.body);
    const leave = () => {
      grown.disconnect();
      for (const act of ACTS) removeEventListener(act, leave);
    };
    for (const act of ACTS) addEventListener(act, leave, { passive: true });
    return leave;
  }, [isShown, isMeant, hash, key]);
}
