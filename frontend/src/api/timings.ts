import { queryOptions, useMutation } from "@tanstack/react-query";
import { api, at, client } from "./client";
import { DERIVED } from "./freshness";
import type { paths } from "./schema";

const TIMINGS = "/api/v1/sweeps/{sweep_id}/timings/comparisons";
type TimingsRequest = paths[typeof TIMINGS]["post"]["requestBody"]["content"]["application/json"];

export const timingQueries = {
  of: (sweep_id: string) =>
    api.queryOptions("get", "/api/v1/sweeps/{sweep_id}/timings", at({ sweep_id }), DERIVED),
  /** The timings of a sweep beside those of another sweep, or of a report that `reading` stands for in the key. */
  compared: (sweep_id: string, body: TimingsRequest, reading?: number) =>
    queryOptions({
      // A report of a whole run is too long for a key.
      queryKey: ["post", TIMINGS, { sweep_id, ...body, report: reading ?? null }],
      queryFn: async () => (await client.POST(TIMINGS, { ...at({ sweep_id }), body })).data,
      ...DERIVED,
    }),
};

/** Compare timings again, as a file. */
export const useExportTimings = (sweep_id: string, body: TimingsRequest, table: string) =>
  useMutation({
    mutationFn: async (format: "csv" | "xlsx" | "latex") => {
      const init = {
        params: { path: { sweep_id }, query: { format, table } },
        body,
        parseAs: "blob",
      } as const;
      return (await client.POST(`${TIMINGS}/export`, init)).data as unknown as Blob;
    },
  });
