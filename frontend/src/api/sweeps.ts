import { useQuery } from "@tanstack/react-query";
import { client } from "./client";
import type { SweepDetail } from "./types";

/** As many as the server gives at once. */
const LIMIT = 200;

/** Every sweep, newest first, however many pages the server makes of them. */
export function useAllSweeps() {
  return useQuery({
    queryKey: ["get", "/api/v1/sweeps", "all"],
    queryFn: async ({ signal }) => {
      const sweeps: SweepDetail[] = [];
      let cursor: string | null = null;
      do {
        const query: { limit: number; cursor?: string } = { limit: LIMIT, ...(cursor ? { cursor } : {}) };
        const { data } = await client.GET("/api/v1/sweeps", { params: { query }, signal });
        sweeps.push(...(data?.items ?? []));
        cursor = data?.next ?? null;
      } while (cursor);
      return sweeps;
    },
  });
}
