import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { SweepsPage } from "@/features/sweeps/SweepsPage";
import { CrashPage, MissingPage } from "./ErrorPages";
import { Shell } from "./Shell";
import { amount, choice, place, text } from "./search";

const root = createRootRoute({ component: Shell, notFoundComponent: MissingPage });

const sweeps = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: (search) => ({ ...text(search, "after") }),
  component: SweepsPage,
});

const newSweep = createRoute({
  getParentRoute: () => root,
  path: "/new",
  validateSearch: (search) => ({
    ...text(search, "collection"),
    ...text(search, "dataset"),
    ...text(search, "copy"),
  }),
  component: lazyRouteComponent(() => import("@/features/new-sweep/NewSweepPage"), "NewSweepPage"),
});

const sweep = createRoute({
  getParentRoute: () => root,
  path: "/sweeps/$id",
  component: lazyRouteComponent(() => import("@/features/sweep/SweepPage"), "SweepPage"),
});

const run = createRoute({
  getParentRoute: () => root,
  path: "/runs/$id",
  validateSearch: (search) => ({ ...place(search, "after"), ...text(search, "metric") }),
  component: lazyRouteComponent(() => import("@/features/run/RunPage"), "RunPage"),
});

const question = createRoute({
  getParentRoute: () => root,
  path: "/runs/$id/questions/$number",
  validateSearch: (search) => ({
    ...choice(search, "rest", ["shown"]),
    ...choice(search, "marks", ["off"]),
    ...amount(search, "cut"),
  }),
  component: lazyRouteComponent(() => import("@/features/question/QuestionPage"), "QuestionPage"),
});

const collections = createRoute({
  getParentRoute: () => root,
  path: "/collections",
  component: lazyRouteComponent(() => import("@/features/collections/CollectionsPage"), "CollectionsPage"),
});

const collection = createRoute({
  getParentRoute: () => root,
  path: "/collections/$name",
  validateSearch: (search) => ({ ...text(search, "text"), ...place(search, "top") }),
  component: lazyRouteComponent(() => import("@/features/collection/CollectionPage"), "CollectionPage"),
});

const datasets = createRoute({
  getParentRoute: () => root,
  path: "/datasets",
  component: lazyRouteComponent(() => import("@/features/datasets/DatasetsPage"), "DatasetsPage"),
});

const dataset = createRoute({
  getParentRoute: () => root,
  path: "/datasets/$name",
  validateSearch: (search) => ({
    ...text(search, "digest"),
    ...text(search, "find"),
    ...place(search, "after"),
  }),
  component: lazyRouteComponent(() => import("@/features/dataset/DatasetPage"), "DatasetPage"),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  component: lazyRouteComponent(() => import("@/features/settings/SettingsPage"), "SettingsPage"),
});

const metrics = createRoute({
  getParentRoute: () => root,
  path: "/metrics",
  validateSearch: (search) => ({ ...choice(search, "profile", ["published"]) }),
  component: lazyRouteComponent(() => import("@/features/metrics/MetricsPage"), "MetricsPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    sweeps,
    newSweep,
    sweep,
    run,
    question,
    collections,
    collection,
    datasets,
    dataset,
    settings,
    metrics,
  ]),
  defaultPreload: "intent",
  defaultErrorComponent: CrashPage,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
