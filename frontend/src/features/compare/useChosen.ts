import { useLocalStorage } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import { useAddress } from "@/components/useAddress";

const route = getRouteApi("/compare");

/** The runs that are compared, and the one that the others are compared with, in the address. */
export function useChosen() {
  const { runs: text = "", baseline } = route.useSearch();
  const address = useAddress();
  // A manner of looking, not what is looked at: it stays in this browser and out of shared links.
  const [isDiffOnly, setDiffOnly] = useLocalStorage({
    key: "passer.compare.differences",
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const runs = [...new Set(text.split("~").filter(Boolean))];
  const put = (next: string[], base: string | undefined) =>
    address(
      {
        runs: next.join("~") || undefined,
        baseline: base && next.includes(base) ? base : undefined,
        changedPage: undefined,
      },
      false,
    );
  return {
    runs,
    baseline,
    isDiffOnly,
    setDiffOnly,
    add: (id: string) => put([...runs.filter((other) => other !== id), id], baseline),
    remove: (id: string) =>
      put(
        runs.filter((other) => other !== id),
        baseline,
      ),
    /** Puts the runs in this order; the first is the baseline. */
    arrange: (order: string[]) => put(order, order[0]),
  };
}

export type Chosen = ReturnType<typeof useChosen>;
