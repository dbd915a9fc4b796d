import { createRoute } from "@tanstack/react-router";
import { prefetchCollections, prefetchDataset, prefetchDatasets } from "./prefetch";
import { page, root } from "./root";
import { choice, place, table, text } from "./search";

const collections = createRoute({
  getParentRoute: () => root,
  path: "/collections",
  validateSearch: table,
  loader: prefetchCollections,
  component: page(() => import("@/features/collections/CollectionsPage"), "CollectionsPage"),
});

const collection = createRoute({
  getParentRoute: () => root,
  path: "/collections/$name",
  validateSearch: (search) => ({ ...table(search), ...text(search, "text"), ...place(search, "top") }),
  loader: prefetchCollections,
  component: page(() => import("@/features/collection/CollectionPage"), "CollectionPage"),
});

const datasets = createRoute({
  getParentRoute: () => root,
  path: "/datasets",
  validateSearch: table,
  loader: prefetchDatasets,
  component: page(() => import("@/features/datasets/DatasetsPage"), "DatasetsPage"),
});

const dataset = createRoute({
  getParentRoute: () => root,
  path: "/datasets/$name",
  validateSearch: (search) => ({
    ...table(search),
    ...text(search, "digest"),
  }),
  loaderDeps: ({ search: { digest } }) => ({ digest }),
  loader: ({ context: { cache }, params, deps }) => prefetchDataset(cache, params.name, deps.digest),
  component: page(() => import("@/features/dataset/DatasetPage"), "DatasetPage"),
});

const drafts = createRoute({
  getParentRoute: () => root,
  path: "/drafts",
  validateSearch: (search) => ({ ...text(search, "collection") }),
  loader: prefetchCollections,
  component: page(() => import("@/features/drafting/NewDraftingPage"), "NewDraftingPage"),
});

const drafting = createRoute({
  getParentRoute: () => root,
  path: "/drafts/$id",
  component: page(() => import("@/features/drafting/DraftingPage"), "DraftingPage"),
});

const review = createRoute({
  getParentRoute: () => root,
  path: "/drafts/$id/review",
  validateSearch: (search) => ({ ...choice(search, "of", ["waiting", "accepted", "edited", "refused"]) }),
  component: page(() => import("@/features/drafting/ReviewPage"), "ReviewPage"),
});

/** The pages under Data. */
export const dataRoutes = [collections, collection, datasets, dataset, drafts, drafting, review] as const;
