import { useLocation } from "@tanstack/react-router";
import { useEffect } from "react";

/**
 * Goes to the place that the address names once it is drawn, once per navigation: the router itself looks for it
 * before the data is there. `id` where a part of the page knows only of itself.
 */
export function useArrival(isShown: boolean, id?: string): void {
  const { hash, key } = useLocation({
    select: (location) => ({ hash: location.hash, key: location.state.__TSR_key }),
    structuralSharing: true,
  });
  const isMeant = hash !== "" && (id === undefined || id === hash);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key tells one navigation from the next
  useEffect(() => {
    if (isShown && isMeant) document.getElementById(hash)?.scrollIntoView();
  }, [isShown, isMeant, hash, key]);
}
