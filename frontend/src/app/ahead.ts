/**
 * Queries that pages begin with, while their own code is on the way. Only the list of sweeps opens first: the code of
 * other queries is not part of the first load.
 */
import type { QueryClient } from "@tanstack/react-query";
import { sweepQueries } from "@/api/sweeps";
import type { MetricInfo } from "@/api/types";

interface Loaded {
  context: { cache: QueryClient };
}

/** What is missing is said by the page, which asks again. */
const ahead = (fetching: () => Promise<void>): void => void fetching().catch(() => undefined);

export const sweepsAhead = ({ context: { cache } }: Loaded): void =>
  void cache.prefetchQuery(sweepQueries.all());

export const collectionsAhead = ({ context: { cache } }: Loaded): void =>
  ahead(async () => cache.prefetchQuery((await import("@/api/materials")).collectionQueries.list()));

export const datasetsAhead = ({ context: { cache } }: Loaded): void =>
  ahead(async () => cache.prefetchQuery((await import("@/api/materials")).datasetQueries.list()));

export const ledgerAhead = ({ context: { cache } }: Loaded): void =>
  ahead(async () => cache.prefetchQuery((await import("@/api/system")).ledgerQueries.head()));

export const partsAhead = ({ context: { cache } }: Loaded): void =>
  ahead(async () => cache.prefetchQuery((await import("@/api/system")).systemQueries.parts()));

export const metricsAhead = (cache: QueryClient, profile: MetricInfo["profile"]): void =>
  ahead(async () => cache.prefetchQuery((await import("@/api/system")).systemQueries.metrics(profile)));

export const datasetAhead = (cache: QueryClient, name: string, digest: string | undefined): void =>
  ahead(async () =>
    cache.prefetchQuery((await import("@/api/materials")).datasetQueries.detail(name, digest)),
  );

export const importAhead = (cache: QueryClient, id: string): void =>
  ahead(async () => cache.prefetchQuery((await import("@/api/imports")).importQueries.detail(id)));

export const runAhead = (cache: QueryClient, id: string): void =>
  ahead(async () => cache.prefetchQuery((await import("@/api/runs")).runQueries.detail(id)));

/** One question of a run; `number` counts from 0. */
export const evaluationAhead = (cache: QueryClient, id: string, number: number): void =>
  ahead(async () => cache.prefetchQuery((await import("@/api/runs")).runQueries.evaluation(id, number)));
