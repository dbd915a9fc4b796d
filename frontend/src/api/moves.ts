import type { QueryClient } from "@tanstack/react-query";
import { markStale } from "./freshness";
import type { ListedRun, Run, SweepDetail } from "./types";

/** The runs in a reply that lists or shows runs. */
function runsIn(path: unknown, data: unknown): readonly Run[] {
  switch (path) {
    case "/api/v1/sweeps/{sweep_id}":
      return (data as SweepDetail).runs;
    case "/api/v1/sweeps":
      return (Array.isArray(data) ? data : (data as { items: SweepDetail[] }).items).flatMap(
        ({ runs }) => runs,
      );
    case "/api/v1/runs/{run_id}":
      return [data as Run];
    case "/api/v1/runs":
      return (data as { items: ListedRun[] }).items.map(({ run }) => run);
    default:
      return [];
  }
}

/** Make results stale whenever a reply or an event shows that a run's state has moved: it ended, or was opened again. */
export function watchRuns(cache: QueryClient): void {
  const known = new Map<string, string>();
  cache.getQueryCache().subscribe(({ type, query, ...event }) => {
    if (type !== "updated" || !("action" in event) || event.action.type !== "success") return;
    let hasMoved = false;
    for (const run of runsIn(query.queryKey[1], query.state.data)) {
      const now = `${run.state} ${run.finished_at ?? ""}`;
      const before = known.get(run.id);
      if (before !== undefined && before !== now) hasMoved = true;
      known.set(run.id, now);
    }
    if (hasMoved) void markStale(cache, ["run moved"]);
  });
}
