import { api } from "./client";
import { changing, changingInPlace, DERIVED, FIXED, IN_PLACE, KEPT, LIVE, type QueryOf } from "./freshness";
import type { MetricInfo } from "./types";

export const systemQueries = {
  health: () => api.queryOptions("get", "/health", {}, FIXED),
  parts: () => api.queryOptions("get", "/api/v1/system", {}, DERIVED),
  /** Every model server with its models; one that is away says why. */
  models: () => api.queryOptions("get", "/api/v1/models", {}, { ...LIVE, retry: false }),
  prompts: () => api.queryOptions("get", "/api/v1/prompts", {}, DERIVED),
  metrics: (profile: MetricInfo["profile"]) =>
    api.queryOptions("get", "/api/v1/metrics", { params: { query: { profile } } }, FIXED),
};

export const ledgerQueries = {
  head: () => api.queryOptions("get", "/api/v1/ledger/head", {}, LIVE),
  wallet: () => api.queryOptions("get", "/api/v1/ledger/wallet", {}, LIVE),
  /** The studies of a sweep or import that were published. */
  studies: (of: string) => api.queryOptions("get", "/api/v1/studies", { params: { query: { of } } }, LIVE),
  entries: (query: QueryOf<"/api/v1/ledger/entries">) =>
    api.queryOptions("get", "/api/v1/ledger/entries", { params: { query } }, KEPT),
};

/** Have the model server download a model; answers with a job. */
export const usePullModel = () => api.useMutation("post", "/api/v1/models", IN_PLACE);

/** Ask a model server for its models; nothing is kept. */
export const useTestServer = () => api.useMutation("post", "/api/v1/connections/tests", IN_PLACE);

/** Keep a model server with its key. */
export const useConnectServer = () =>
  api.useMutation("post", "/api/v1/connections", changingInPlace("models"));

/** Forget a model server with its key. */
export const useDisconnectServer = () =>
  api.useMutation("delete", "/api/v1/connections/{name}", changing("models"));
