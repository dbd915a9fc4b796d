import { MutationCache, QueryClient } from "@tanstack/react-query";
import { type Change, LIVE, markStale } from "./freshness";
import { Problem } from "./problem";
import type { ListedRun, Run, SweepDetail } from "./types";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** The caller shows the problem itself, under the fields that it names. */
      shown?: boolean;
      /** The reply has `warnings` to be shown. */
      warns?: boolean;
      /** What the mutation changes on the server, whether it succeeds or not. */
      changes?: readonly Change[];
    };
  }
}

/** The query cache: server state lives here and nowhere else. */
export function createCache(
  onProblem: (problem: Problem) => void,
  onWarning: (line: string) => void = () => {},
): QueryClient {
  const cache: QueryClient = new QueryClient({
    mutationCache: new MutationCache({
      onError(error, _variables, _result, mutation) {
        if (error instanceof Problem && !mutation.meta?.shown) onProblem(error);
      },
      onSuccess(data, _variables, _result, mutation) {
        if (mutation.meta?.warns) (data as { warnings?: string[] }).warnings?.forEach(onWarning);
      },
      onSettled: (_data, _error, _variables, _result, mutation) =>
        markStale(cache, mutation.meta?.changes ?? []),
    }),
    defaultOptions: {
      queries: {
        ...LIVE,
        // A refusal stays a refusal; only a server that is gone or busy is asked again.
        retry: (failures, error) =>
          failures < 2 && error instanceof Problem && (error.isOffline || error.status >= 500),
      },
    },
  });
  watchRuns(cache);
  return cache;
}

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
function watchRuns(cache: QueryClient): void {
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
