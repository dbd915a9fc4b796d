import { keepPreviousData } from "@tanstack/react-query";
import { api, at } from "./client";
import { CALM_MS, DERIVED, KEPT, keepSame, LIVE, POLL_MS, type QueryOf } from "./freshness";
import { isMoving } from "./states";

const of = (run_id: string) => at({ run_id });

export const runQueries = {
  detail: (id: string) =>
    api.queryOptions("get", "/api/v1/runs/{run_id}", of(id), {
      ...LIVE,
      refetchInterval: ({ state }) => (isMoving(state.data?.state) ? POLL_MS : false),
    }),
  /** A page of runs that is kept up to date. */
  page: (query: QueryOf<"/api/v1/runs">) =>
    api.queryOptions(
      "get",
      "/api/v1/runs",
      { params: { query } },
      {
        ...LIVE,
        placeholderData: keepPreviousData,
        refetchInterval: ({ state }) =>
          state.data?.items.some(({ run }) => isMoving(run.state)) ? POLL_MS : CALM_MS,
      },
    ),
  /** The first runs that match a text. */
  search: (query: QueryOf<"/api/v1/runs">) =>
    api.queryOptions("get", "/api/v1/runs", { params: { query } }, KEPT),
  metrics: (id: string) => api.queryOptions("get", "/api/v1/runs/{run_id}/metrics", of(id), DERIVED),
  /** Where its questions failed. */
  failures: (run_id: string, query: QueryOf<"/api/v1/runs/{run_id}/failures">) =>
    api.queryOptions("get", "/api/v1/runs/{run_id}/failures", at({ run_id }, query), {
      ...DERIVED,
      placeholderData: keepSame({ run_id }),
    }),
  /** Citations and grounding of its answers. */
  grounding: (run_id: string, query: QueryOf<"/api/v1/runs/{run_id}/grounding">) =>
    api.queryOptions("get", "/api/v1/runs/{run_id}/grounding", at({ run_id }, query), {
      ...DERIVED,
      placeholderData: keepSame({ run_id }),
    }),
  /** Citations and sentences of one answer; `number` counts from 0. */
  grounded: (run_id: string, number: number) =>
    api.queryOptions(
      "get",
      "/api/v1/runs/{run_id}/evaluations/{number}/grounding",
      at({ run_id, number }),
      DERIVED,
    ),
  evaluations: (run_id: string, query: QueryOf<"/api/v1/runs/{run_id}/evaluations">) =>
    api.queryOptions("get", "/api/v1/runs/{run_id}/evaluations", at({ run_id }, query), {
      ...LIVE,
      placeholderData: keepSame({ run_id }),
    }),
  /** One question; `number` counts from 0. */
  evaluation: (run_id: string, number: number) =>
    api.queryOptions("get", "/api/v1/runs/{run_id}/evaluations/{number}", at({ run_id, number }), LIVE),
  entries: (run_id: string, query: QueryOf<"/api/v1/runs/{run_id}/entries">) =>
    api.queryOptions("get", "/api/v1/runs/{run_id}/entries", at({ run_id }, query), {
      ...LIVE,
      refetchInterval: ({ state }) =>
        state.data?.items.some((entry) => entry.state !== "recorded") ? POLL_MS : false,
    }),
};

/** Kept on screen while the same two studies are compared on other constants. */
const crossed = ({ first, second }: { first: string; second: string }) => ({
  ...DERIVED,
  placeholderData: keepSame({ first, second }),
});
const compared = { ...DERIVED, placeholderData: keepPreviousData };

export const comparisonQueries = {
  detail: (run: string[], baseline?: string) =>
    api.queryOptions(
      "get",
      "/api/v1/comparisons",
      { params: { query: { run, ...(baseline ? { baseline } : {}) } } },
      { ...compared, enabled: run.length > 1 },
    ),
  origins: (query: QueryOf<"/api/v1/comparisons/origins">) =>
    api.queryOptions("get", "/api/v1/comparisons/origins", { params: { query } }, compared),
  figures: (query: QueryOf<"/api/v1/comparisons/figures">) =>
    api.queryOptions("get", "/api/v1/comparisons/figures", { params: { query } }, compared),
  questions: (query: QueryOf<"/api/v1/comparisons/questions">) =>
    api.queryOptions("get", "/api/v1/comparisons/questions", { params: { query } }, compared),
  domains: (query: QueryOf<"/api/v1/cross-domain">) =>
    api.queryOptions("get", "/api/v1/cross-domain", { params: { query } }, crossed(query)),
  domainFigures: (query: QueryOf<"/api/v1/cross-domain/figures">) =>
    api.queryOptions("get", "/api/v1/cross-domain/figures", { params: { query } }, crossed(query)),
  domainTables: (query: QueryOf<"/api/v1/cross-domain/tables">) =>
    api.queryOptions("get", "/api/v1/cross-domain/tables", { params: { query } }, crossed(query)),
};
