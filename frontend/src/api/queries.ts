import { MutationCache, QueryClient } from "@tanstack/react-query";
import { type Change, LIVE, markStale } from "./freshness";
import { watchRuns } from "./moves";
import { Problem } from "./problem";

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
