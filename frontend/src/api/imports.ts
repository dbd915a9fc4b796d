import { useQueryClient } from "@tanstack/react-query";
import { api, at } from "./client";
import { changingInPlace, DERIVED, FIXED, forget, IN_PLACE, keepSame, LIVE, type QueryOf } from "./freshness";

type Procedure = QueryOf<"/api/v1/imports/{import_id}/analysis">;
type RowQuery = QueryOf<"/api/v1/imports/{import_id}/questions">;

const of = (import_id: string, query: Procedure = {}) => at({ import_id }, query);
/** Kept on screen while another procedure is computed, or another page of rows is loaded. */
const kept = (import_id: string) => ({ placeholderData: keepSame({ import_id }) });

export const importQueries = {
  list: () => api.queryOptions("get", "/api/v1/imports", {}, LIVE),
  detail: (import_id: string) =>
    api.queryOptions("get", "/api/v1/imports/{import_id}", at({ import_id }), FIXED),
  analysis: (id: string, query: Procedure) =>
    api.queryOptions("get", "/api/v1/imports/{import_id}/analysis", of(id, query), {
      ...DERIVED,
      ...kept(id),
    }),
  /** Published against corrected; it takes no procedure. */
  defectEffects: (import_id: string) =>
    api.queryOptions("get", "/api/v1/imports/{import_id}/defect-effects", at({ import_id }), DERIVED),
  figures: (id: string, query: Procedure) =>
    api.queryOptions("get", "/api/v1/imports/{import_id}/figures", of(id, query), {
      ...DERIVED,
      ...kept(id),
    }),
  tables: (id: string, query: Procedure) =>
    api.queryOptions("get", "/api/v1/imports/{import_id}/tables", of(id, query), { ...DERIVED, ...kept(id) }),
  rows: (import_id: string, query: RowQuery) =>
    api.queryOptions("get", "/api/v1/imports/{import_id}/questions", at({ import_id }, query), {
      ...FIXED,
      ...kept(import_id),
    }),
  /** One row; `number` counts from 0. */
  row: (
    import_id: string,
    number: number,
    query: QueryOf<"/api/v1/imports/{import_id}/questions/{number}">,
  ) =>
    api.queryOptions(
      "get",
      "/api/v1/imports/{import_id}/questions/{number}",
      at({ import_id, number }, query),
      { ...FIXED, ...kept(import_id) },
    ),
  /** The 24 columns of a row, computed again. */
  recomputed: (import_id: string, number: number, sheet: string) =>
    api.queryOptions(
      "get",
      "/api/v1/imports/{import_id}/questions/{number}/recomputed",
      at({ import_id, number }, { sheet }),
      FIXED,
    ),
};

/** Send result sheets; answers with a job. */
export const useSendSheets = () => api.useMutation("post", "/api/v1/imports", IN_PLACE);

/** Enters the study of imported sheets in the ledger. */
export const usePublishImport = () =>
  api.useMutation("put", "/api/v1/imports/{import_id}/study", changingInPlace("ledger"));

/** Delete an import; `leave` opens another page before what was known of it is removed. */
export function useDeleteImport(leave: () => Promise<void>) {
  const cache = useQueryClient();
  return api.useMutation("delete", "/api/v1/imports/{import_id}", {
    ...IN_PLACE,
    onSuccess: async () => {
      await leave();
      await forget(cache, "imports");
    },
  });
}
