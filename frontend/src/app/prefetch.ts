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

const imports = () => import("@/api/imports");
const materials = () => import("@/api/materials");
const runs = () => import("@/api/runs");
const system = () => import("@/api/system");

/** The page asks again, and reports what is missing. */
function ahead<Queries>(load: () => Promise<Queries>, ask: (queries: Queries) => Promise<void>): void {
  load()
    .then(ask)
    .catch(() => undefined);
}

export const prefetchSweeps = ({ context: { cache } }: Loaded): void =>
  void cache.prefetchQuery(sweepQueries.all());

export const prefetchCollections = ({ context: { cache } }: Loaded): void =>
  ahead(materials, ({ collectionQueries }) => cache.prefetchQuery(collectionQueries.list()));

export const prefetchDatasets = ({ context: { cache } }: Loaded): void =>
  ahead(materials, ({ datasetQueries }) => cache.prefetchQuery(datasetQueries.list()));

export const prefetchLedger = ({ context: { cache } }: Loaded): void =>
  ahead(system, ({ ledgerQueries }) => cache.prefetchQuery(ledgerQueries.head()));

export const prefetchParts = ({ context: { cache } }: Loaded): void =>
  ahead(system, ({ systemQueries }) => cache.prefetchQuery(systemQueries.parts()));

export const prefetchMetrics = (cache: QueryClient, profile: MetricInfo["profile"]): void =>
  ahead(system, ({ systemQueries }) => cache.prefetchQuery(systemQueries.metrics(profile)));

export const prefetchDataset = (cache: QueryClient, name: string, digest: string | undefined): void =>
  ahead(materials, ({ datasetQueries }) => cache.prefetchQuery(datasetQueries.detail(name, digest)));

export const prefetchImport = (cache: QueryClient, id: string): void =>
  ahead(imports, ({ importQueries }) => cache.prefetchQuery(importQueries.detail(id)));

export const prefetchRun = (cache: QueryClient, id: string): void =>
  ahead(runs, ({ runQueries }) => cache.prefetchQuery(runQueries.detail(id)));

/** One question of a run; `number` counts from 0. */
export const prefetchEvaluation = (cache: QueryClient, id: string, number: number): void =>
  ahead(runs, ({ runQueries }) => cache.prefetchQuery(runQueries.evaluation(id, number)));
