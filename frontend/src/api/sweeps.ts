import { queryOptions } from "@tanstack/react-query";
import type { Budget } from "./budget";
import { api, at, client } from "./client";
import { CALM_MS, DERIVED, FIXED, KEPT, keepSame, LIVE, POLL_MS, type QueryOf } from "./freshness";
import { isMoving } from "./states";
import type { Sweep, SweepDetail } from "./types";

const PAGE = 50;
/** The most sweeps that the server returns at once. */
const MOST = 200;
const FAST_MS = 1000;
const REST_MS = 5000;

/** Which sweeps a list shows: those after an id, with a tag, archived ones. */
export interface SweepFilter {
  after?: string | undefined;
  tag?: string | undefined;
  archived?: "yes" | undefined;
}

export type MatrixQuery = QueryOf<"/api/v1/sweeps/{sweep_id}/questions">;
type Decisions = QueryOf<"/api/v1/sweeps/{sweep_id}/analysis">;

const of = (sweep_id: string) => at({ sweep_id });
const decided = (sweep_id: string, query: Decisions = {}) => at({ sweep_id }, query);
/** Kept on screen while another decision about the same sweep is computed. */
const derived = (sweep_id: string) => ({ ...DERIVED, placeholderData: keepSame({ sweep_id }) });

export const sweepQueries = {
  detail: (id: string) => api.queryOptions("get", "/api/v1/sweeps/{sweep_id}", of(id), LIVE),
  /** A sweep that is shown while it may move; not polled while the server reports its changes. */
  followed: (id: string, isReported: boolean) => ({
    ...sweepQueries.detail(id),
    // Another tab or the command line may resume a sweep at rest.
    refetchInterval: ({ state: { data } }: { state: { data: SweepDetail | undefined } }) =>
      isReported ? false : data && !isMoving(data.state) ? REST_MS : FAST_MS,
  }),
  /** The answers that models write now; not polled while the server reports them. */
  now: (id: string, isReported = true) =>
    api.queryOptions("get", "/api/v1/sweeps/{sweep_id}/now", of(id), {
      ...LIVE,
      refetchInterval: isReported ? false : FAST_MS,
    }),
  /** A sweep as a template for a new one. */
  template: (id: string) => ({ ...sweepQueries.detail(id), ...FIXED }),
  /** The experiment files that come with PaSSER. */
  experiments: () => api.queryOptions("get", "/api/v1/experiments", {}, FIXED),
  page: ({ after, tag, archived }: SweepFilter = {}) =>
    api.queryOptions(
      "get",
      "/api/v1/sweeps",
      {
        params: {
          query: {
            limit: PAGE,
            ...(after ? { after } : {}),
            ...(tag ? { tag } : {}),
            ...(archived ? { archived: true } : {}),
          },
        },
      },
      {
        ...LIVE,
        refetchInterval: ({ state }) =>
          state.data?.items.some(({ state }) => isMoving(state)) ? POLL_MS : CALM_MS,
      },
    ),
  /** Every sweep, newest first, however many pages the server makes of them. */
  all: () =>
    queryOptions({
      queryKey: ["get", "/api/v1/sweeps", "all"],
      queryFn: async ({ signal }) => {
        const sweeps: SweepDetail[] = [];
        let after: string | null = null;
        do {
          const query: { limit: number; after?: string } = { limit: MOST, ...(after ? { after } : {}) };
          const { data } = await client.GET("/api/v1/sweeps", { params: { query }, signal });
          sweeps.push(...(data?.items ?? []));
          after = data?.next ?? null;
        } while (after);
        return sweeps;
      },
      ...LIVE,
    }),
  analysis: (id: string, decisions?: Decisions) =>
    api.queryOptions("get", "/api/v1/sweeps/{sweep_id}/analysis", decided(id, decisions), {
      ...derived(id),
      // A recorded judge assesses the answers after the sweep is finished.
      refetchInterval: ({ state }) => (state.data?.rule.judged_by?.status === "waiting" ? REST_MS : false),
    }),
  /** What a sweep at its end concludes, for a list. */
  summary: (id: string) =>
    api.queryOptions("get", "/api/v1/sweeps/{sweep_id}/summary", of(id), {
      ...DERIVED,
      // Those of long sweeps are computed in the background.
      refetchInterval: ({ state }) => (state.data?.is_computing ? POLL_MS : false),
    }),
  figures: (id: string, decisions?: Decisions) =>
    api.queryOptions("get", "/api/v1/sweeps/{sweep_id}/figures", decided(id, decisions), derived(id)),
  tables: (id: string, decisions?: Decisions) =>
    api.queryOptions("get", "/api/v1/sweeps/{sweep_id}/tables", decided(id, decisions), derived(id)),
  /** Where the questions of each run failed, as counts. */
  failures: (id: string) => api.queryOptions("get", "/api/v1/sweeps/{sweep_id}/failures", of(id), DERIVED),
  /** Citations and grounding of the answers of each run. */
  grounding: (sweep_id: string, query: QueryOf<"/api/v1/sweeps/{sweep_id}/grounding">) =>
    api.queryOptions(
      "get",
      "/api/v1/sweeps/{sweep_id}/grounding",
      at({ sweep_id }, query),
      derived(sweep_id),
    ),
  /** A page of the matrix of questions and configurations. */
  questions: (sweep_id: string, query: MatrixQuery) =>
    api.queryOptions(
      "get",
      "/api/v1/sweeps/{sweep_id}/questions",
      at({ sweep_id }, query),
      // The first rows stay until other ones are chosen; rows further down are never shown in another place.
      { ...DERIVED, ...(query.after ? {} : { placeholderData: keepSame({ sweep_id }) }) },
    ),
  /** The questions of a run against those of its baseline, as a figure. */
  pairs: (sweep_id: string, of: string, metric: string) =>
    api.queryOptions(
      "get",
      "/api/v1/sweeps/{sweep_id}/pairs",
      at({ sweep_id }, { of, metric }),
      derived(sweep_id),
    ),
  /** One question under every configuration; `number` counts from 0. */
  question: (sweep_id: string, number: number) =>
    api.queryOptions(
      "get",
      "/api/v1/sweeps/{sweep_id}/questions/{number}",
      at({ sweep_id, number }),
      DERIVED,
    ),
  /** What a sweep would take; kept while the next plan is computed. */
  plan: (body: Sweep, limits: Budget = {}) =>
    api.queryOptions("post", "/api/v1/sweeps/plans", { body, params: { query: limits } }, KEPT),
  composites: (sweep_id: string) =>
    api.queryOptions("get", "/api/v1/runs/composites/{sweep_id}", of(sweep_id), DERIVED),
};
