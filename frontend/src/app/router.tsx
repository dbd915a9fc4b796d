import type { QueryClient } from "@tanstack/react-query";
import { createRoute, createRouter } from "@tanstack/react-router";
import { PROJECT_PATH } from "@/api/project";
import { sweepQueries } from "@/api/sweeps";
import { expectPage } from "@/components/focus";
import { SweepsPage } from "@/features/sweeps/SweepsPage";
import { analysisRoutes } from "./analysisRoutes";
import { dataRoutes } from "./dataRoutes";
import { CrashPage, MissingPage } from "./ErrorPages";
import {
  prefetchCollections,
  prefetchEvaluation,
  prefetchLedger,
  prefetchMetrics,
  prefetchParts,
  prefetchRun,
  prefetchSweeps,
} from "./prefetch";
import { expectPlace, page, root } from "./root";
import { choice, matrix, parts, place, table, text, view } from "./search";

const sweeps = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: (search) => ({
    ...table(search),
    ...text(search, "after", "tag"),
    ...choice(search, "archived", ["yes"]),
  }),
  loaderDeps: ({ search: { after, tag, archived } }) => ({ after, tag, archived }),
  loader: ({ context: { cache }, deps }) => void cache.prefetchQuery(sweepQueries.page(deps)),
  component: SweepsPage,
});

const newSweep = createRoute({
  getParentRoute: () => root,
  path: "/new",
  validateSearch: (search) => ({
    ...text(search, "collection", "dataset", "copy", "experiment", "run", "thresholds", "k"),
    ...place(search, "questions"),
    ...text(search, "looks"),
  }),
  loader: prefetchCollections,
  component: page(() => import("@/features/new-sweep/NewSweepPage"), "NewSweepPage"),
});

const sweep = createRoute({
  getParentRoute: () => root,
  path: "/sweeps/$id",
  validateSearch: matrix,
  loader: ({ context: { cache }, params: { id } }) => void cache.prefetchQuery(sweepQueries.detail(id)),
  component: page(() => import("@/features/sweep/SweepPage"), "SweepPage"),
});

const rating = createRoute({
  getParentRoute: () => root,
  path: "/rate/$id",
  validateSearch: (search) => ({
    ...text(search, "rater"),
    ...place(search, "at"),
    ...choice(search, "of", ["pairs"]),
  }),
  component: page(() => import("@/features/rating/RatingPage"), "RatingPage"),
});

const runs = createRoute({
  getParentRoute: () => root,
  path: "/runs",
  validateSearch: (search) => ({
    ...table(search),
    ...choice(search, "state", ["queued", "running", "paused", "finished", "cancelled", "failed"]),
    ...text(search, "model", "dataset"),
  }),
  component: page(() => import("@/features/runs/RunsPage"), "RunsPage"),
});

const compare = createRoute({
  getParentRoute: () => root,
  path: "/compare",
  validateSearch: (search) => ({
    ...text(search, "runs", "baseline", "metric", "of"),
    ...choice(search, "order", ["change", "rise", "fall"]),
    ...place(search, "changedPage"),
  }),
  component: page(() => import("@/features/compare/ComparePage"), "ComparePage"),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: "/audit",
  validateSearch: (search) => ({
    ...text(search, "run"),
    ...place(search, "after"),
    ...text(search, "account", "of", "since", "until", "row"),
  }),
  loader: prefetchLedger,
  component: page(() => import("@/features/audit/AuditPage"), "AuditPage"),
});

const retrieval = createRoute({
  getParentRoute: () => root,
  path: "/retrieval",
  validateSearch: (search) => ({
    ...text(search, "collection", "dataset", "retrievers", "runs", "qrels", "question", "group", "category"),
    ...choice(search, "by", ["passage", "document"]),
  }),
  loader: prefetchCollections,
  component: page(() => import("@/features/retrieval/RetrievalPage"), "RetrievalPage"),
});

const chat = createRoute({
  getParentRoute: () => root,
  path: "/chat",
  validateSearch: view,
  loader: prefetchCollections,
  component: page(() => import("@/features/chat/ChatPage"), "ChatPage"),
});

const run = createRoute({
  getParentRoute: () => root,
  path: "/runs/$id",
  validateSearch: (search) => ({
    ...table(search),
    ...text(search, "metric"),
    ...choice(search, "only", ["failed"]),
    ...text(search, "located"),
    ...parts(search, "grounding"),
  }),
  loader: ({ context: { cache }, params: { id } }) => prefetchRun(cache, id),
  component: page(() => import("@/features/run/RunPage"), "RunPage"),
});

const question = createRoute({
  getParentRoute: () => root,
  path: "/runs/$id/questions/$number",
  validateSearch: view,
  beforeLoad: ({ params }) => expectPlace(params.number),
  loader: ({ context: { cache }, params }) => prefetchEvaluation(cache, params.id, Number(params.number) - 1),
  component: page(() => import("@/features/question/QuestionPage"), "QuestionPage"),
  notFoundComponent: MissingPage,
});

const arena = createRoute({
  getParentRoute: () => root,
  path: "/arena",
  validateSearch: (search) => ({
    ...text(search, "sweep"),
    ...choice(search, "by", ["score", "people", "file"]),
  }),
  loader: prefetchSweeps,
  component: page(() => import("@/features/arena/ArenaPage"), "ArenaPage"),
});

const tournament = createRoute({
  getParentRoute: () => root,
  path: "/arena/$id",
  validateSearch: (search) => ({
    ...table(search),
    ...text(search, "system", "opponent", "question", "a", "b"),
    ...parts(search, "counted"),
  }),
  component: page(() => import("@/features/arena/TournamentPage"), "TournamentPage"),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  validateSearch: table,
  loader: prefetchParts,
  component: page(() => import("@/features/settings/SettingsPage"), "SettingsPage"),
});

const account = createRoute({
  getParentRoute: () => root,
  path: "/account",
  validateSearch: table,
  component: page(() => import("@/features/account/AccountPage"), "AccountPage"),
});

const metrics = createRoute({
  getParentRoute: () => root,
  path: "/definitions",
  validateSearch: (search) => ({ ...choice(search, "profile", ["published", "judged", "grounded"]) }),
  loaderDeps: ({ search }) => ({ profile: search.profile ?? ("standard" as const) }),
  loader: ({ context: { cache }, deps }) => prefetchMetrics(cache, deps.profile),
  component: page(() => import("@/features/metrics/MetricsPage"), "MetricsPage"),
});

/** Loaders fetch what a page shows while its code is loaded; the page shows it, or why it is missing. */
export function createAppRouter(cache: QueryClient) {
  const router = createRouter({
    basepath: PROJECT_PATH || "/",
    context: { cache },
    routeTree: root.addChildren([
      sweeps,
      newSweep,
      sweep,
      rating,
      runs,
      compare,
      ...analysisRoutes,
      audit,
      chat,
      retrieval,
      arena,
      tournament,
      run,
      question,
      ...dataRoutes,
      settings,
      account,
      metrics,
    ]),
    defaultPreload: "intent",
    // Freshness is the query cache's business.
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: CrashPage,
    scrollRestoration: true,
  });
  router.subscribe("onBeforeNavigate", ({ fromLocation, pathChanged }) => {
    if (fromLocation && pathChanged) expectPage();
  });
  return router;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
