import { MutationCache, QueryClient } from "@tanstack/react-query";
import { Problem } from "./problem";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** The caller shows the problem itself, under the fields that it names. */
      shown?: boolean;
    };
  }
}

const SECOND = 1000;

/** The query cache: server state lives here and nowhere else. */
export function createCache(onProblem: (problem: Problem) => void): QueryClient {
  return new QueryClient({
    mutationCache: new MutationCache({
      onError(error, _variables, _result, mutation) {
        if (error instanceof Problem && !mutation.meta?.shown) onProblem(error);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 2 * SECOND,
        // A refusal stays a refusal; only a server that is gone or busy is asked again.
        retry: (failures, error) =>
          failures < 2 && error instanceof Problem && (error.isOffline || error.status >= 500),
      },
    },
  });
}
