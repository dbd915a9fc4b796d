import { api } from "./client";
import { CALM_MS, changing, changingInPlace, KEPT, LIVE, POLL_MS } from "./freshness";
import type { DraftRequest, ListedDrafting, Sending } from "./types";

/** Whether questions are being drafted, or wait for their turn. */
export function isDrafting({ job }: Pick<ListedDrafting, "job">): boolean {
  return job?.state === "queued" || job?.state === "running";
}

export const draftingQueries = {
  /** All draftings, the newest first. */
  list: () =>
    api.queryOptions("get", "/api/v1/drafts", undefined, {
      ...LIVE,
      refetchInterval: ({ state }) => (state.data?.items.some(isDrafting) ? POLL_MS : CALM_MS),
    }),
  /** How far a drafting is; with all of its drafts for the review. */
  detail: (drafting_id: string, state?: "all") =>
    api.queryOptions(
      "get",
      "/api/v1/drafts/{drafting_id}",
      { params: { path: { drafting_id }, query: state ? { state } : {} } },
      { ...LIVE, refetchInterval: ({ state: { data } }) => (data && isDrafting(data) ? POLL_MS : false) },
    ),
  /** Windows, requests and cost, before the start. */
  plan: (body: Sending<DraftRequest>) =>
    api.queryOptions("post", "/api/v1/drafts/plan", { body: body as DraftRequest }, KEPT),
};

/** Start drafting; the caller shows refusals beside the form. */
export const useStartDrafting = () => api.useMutation("post", "/api/v1/drafts", changingInPlace("drafts"));

/** Accept, edit or refuse a draft. */
export const useDecideDraft = () =>
  api.useMutation("patch", "/api/v1/drafts/{drafting_id}/{key}", changingInPlace("drafts"));

/** Go on with a drafting, with another target if one is given. */
export const useResumeDrafting = () =>
  api.useMutation("post", "/api/v1/drafts/{drafting_id}/resume", changingInPlace("drafts"));

export const useCancelDrafting = () =>
  api.useMutation("post", "/api/v1/drafts/{drafting_id}/cancel", changing("drafts"));

/** Make a dataset of the accepted questions. */
export const useFinishDrafting = () =>
  api.useMutation("post", "/api/v1/drafts/{drafting_id}/finish", changingInPlace("datasets"));
