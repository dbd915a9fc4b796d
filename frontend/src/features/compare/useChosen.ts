import { getRouteApi, useNavigate } from "@tanstack/react-router";

const route = getRouteApi("/compare");

/** The runs that are compared, and the one that the others are compared with, in the address. */
export function useChosen() {
  const { runs: text = "", baseline } = route.useSearch();
  const navigate = useNavigate({ from: "/compare" });
  const runs = [...new Set(text.split("~").filter(Boolean))];
  const put = (next: string[], base: string | undefined) =>
    navigate({
      search: (search) => ({
        ...search,
        runs: next.join("~") || undefined,
        baseline: base && next.includes(base) ? base : undefined,
        changedPage: undefined,
      }),
      resetScroll: false,
    });
  return {
    runs,
    baseline,
    add: (id: string) => put([...runs.filter((other) => other !== id), id], baseline),
    remove: (id: string) =>
      put(
        runs.filter((other) => other !== id),
        baseline,
      ),
    setBaseline: (id: string) => put(runs, id),
  };
}

export type Chosen = ReturnType<typeof useChosen>;
