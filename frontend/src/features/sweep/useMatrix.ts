import { useQueries, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type MatrixQuery, sweepQueries } from "@/api/sweeps";
import type { MatrixRow, SweepAnalysis } from "@/api/types";
import { CPS, useMetricScale } from "@/components/numbers/metricFormat";
import { useAddress } from "@/components/useAddress";
import type { Scale } from "./matrixCell";

const route = getRouteApi("/sweeps/$id");
const PAGE = 100;

/** `baseline` keeps questions with a score under the baseline; it is in the display menu, the others are chips. */
export const FILTERS = ["gold_lost", "abstained", "failed", "sign_changed", "low", "baseline"] as const;
export type Filter = (typeof FILTERS)[number];
type Search = ReturnType<typeof route.useSearch>;

/** What the address says of the matrix, and how to change it; without a metric it shows the primary one. */
export function useMatrixView(primary = CPS) {
  const search = route.useSearch();
  const put = useAddress();
  const only = FILTERS.filter((name) => search.only?.split(",").includes(name));
  // The back button leads from one view to the one before, but does not undo each order and filter.
  const change = (next: Partial<Search>) => put(next, !("view" in next));
  return { ...search, only, metric: search.metric ?? primary, primary, change };
}

/** The filters of the address with one of them added or taken away. */
export function toggled(only: readonly Filter[], name: Filter): string | undefined {
  const next = only.includes(name) ? only.filter((other) => other !== name) : [...only, name];
  return next.join(",") || undefined;
}

export type MatrixView = ReturnType<typeof useMatrixView>;

/** The rows in view by their places, as far as they are loaded, and what is the same on every page. */
export function useMatrix(id: string, view: MatrixView, [first, last]: readonly [number, number]) {
  const query: MatrixQuery = {
    metric: view.metric,
    order: view.order ?? "spread",
    find: view.find ?? "",
    limit: PAGE,
    ...(view.only.length > 0 ? { only: view.only } : {}),
    ...(view.of ? { of: view.of } : {}),
    ...(view.baseline ? { baseline: view.baseline } : {}),
    ...(view.area ? { area: view.area } : {}),
  };
  const from = Math.floor(first / PAGE);
  const pages = Array.from({ length: Math.floor(last / PAGE) - from + 1 }, (_, page) => (from + page) * PAGE);
  const head = useQuery(sweepQueries.questions(id, { ...query, after: 0 }));
  const found = useQueries({
    queries: pages.map((after) => sweepQueries.questions(id, { ...query, after })),
  });
  const rows = new Map<number, MatrixRow>();
  pages.forEach((after, page) => {
    found[page]?.data?.items.forEach((row, place) => {
      rows.set(after + place, row);
    });
  });
  return { head, rows };
}

/** How the chosen metric is coloured. */
export function useScale(
  profile: SweepAnalysis["profile"],
  { metric, shade }: MatrixView,
  bound: number | null | undefined,
) {
  const { range, higherIsBetter, names } = useMetricScale(profile, metric);
  const scale: Scale = { shade: shade ?? "gain", metric, bound: bound ?? null, range, higherIsBetter };
  return { scale, metrics: names };
}
