import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
} from "@tanstack/react-router";
import { SweepsPage } from "@/features/sweeps/SweepsPage";
import { CrashPage, MissingPage } from "./ErrorPages";
import { Shell } from "./Shell";
import { amount, choice, place, table, text, view } from "./search";

const root = createRootRoute({ component: Shell, notFoundComponent: MissingPage });

/** Rows and questions count from 1; what is no such number names no page. */
function expectPlace(number: string): void {
  if (!/^[1-9]\d*$/.test(number)) throw notFound();
}

const sweeps = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: (search) => ({ ...table(search), ...text(search, "after") }),
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

const runs = createRoute({
  getParentRoute: () => root,
  path: "/runs",
  validateSearch: (search) => ({
    ...table(search),
    ...choice(search, "state", ["queued", "running", "paused", "finished", "cancelled", "failed"]),
    ...text(search, "model"),
    ...text(search, "dataset"),
  }),
  component: lazyRouteComponent(() => import("@/features/runs/RunsPage"), "RunsPage"),
});

const compare = createRoute({
  getParentRoute: () => root,
  path: "/compare",
  validateSearch: (search) => ({
    ...text(search, "runs"),
    ...text(search, "baseline"),
    ...text(search, "metric"),
    ...text(search, "of"),
    ...choice(search, "order", ["change", "rise", "fall"]),
    ...place(search, "changedPage"),
  }),
  component: lazyRouteComponent(() => import("@/features/compare/ComparePage"), "ComparePage"),
});

const analysis = createRoute({
  getParentRoute: () => root,
  path: "/analysis",
  component: lazyRouteComponent(() => import("@/features/analysis/AnalysisPage"), "AnalysisPage"),
});

const sweepAnalysis = createRoute({
  getParentRoute: () => root,
  path: "/analysis/sweeps/$id",
  validateSearch: (search) => ({
    ...text(search, "table"),
    ...text(search, "constants"),
    ...choice(search, "panel", ["phase3", "phase3-no-meteor", "phase2"]),
    ...choice(search, "missing", ["worst", "drop"]),
    ...choice(search, "truncated", ["keep", "exclude"]),
    ...choice(search, "scope", ["all", "model", "run"]),
  }),
  component: lazyRouteComponent(() => import("@/features/analysis/SweepAnalysisPage"), "SweepAnalysisPage"),
});

const importAnalysis = createRoute({
  getParentRoute: () => root,
  path: "/analysis/imports/$id",
  validateSearch: (search) => ({
    ...text(search, "table"),
    ...text(search, "constants"),
    ...choice(search, "procedure", ["corrected", "published", "published-phase2"]),
  }),
  component: lazyRouteComponent(() => import("@/features/analysis/ImportPage"), "ImportPage"),
});

const sheetQuestions = createRoute({
  getParentRoute: () => root,
  path: "/analysis/imports/$id/questions",
  validateSearch: (search) => ({
    ...table(search),
    ...text(search, "sheet"),
    ...choice(search, "only", ["repeated", "incomplete"]),
  }),
  component: lazyRouteComponent(() => import("@/features/analysis/SheetQuestionsPage"), "SheetQuestionsPage"),
});

const sheetQuestion = createRoute({
  getParentRoute: () => root,
  path: "/analysis/imports/$id/questions/$number",
  validateSearch: (search) => ({
    ...table(search),
    ...text(search, "sheet"),
    ...choice(search, "only", ["repeated", "incomplete"]),
    ...choice(search, "marks", ["off"]),
  }),
  beforeLoad: ({ params }) => expectPlace(params.number),
  component: lazyRouteComponent(() => import("@/features/analysis/SheetQuestionPage"), "SheetQuestionPage"),
  notFoundComponent: MissingPage,
});

const timeComparison = createRoute({
  getParentRoute: () => root,
  path: "/analysis/times",
  validateSearch: (search) => ({
    ...text(search, "here"),
    ...text(search, "there"),
    ...amount(search, "margin"),
    ...amount(search, "scoreMargin"),
  }),
  component: lazyRouteComponent(() => import("@/features/analysis/TimeComparisonPage"), "TimeComparisonPage"),
});

const crossing = createRoute({
  getParentRoute: () => root,
  path: "/analysis/domains",
  validateSearch: (search) => ({
    ...text(search, "first"),
    ...text(search, "second"),
    ...choice(search, "constants", ["joint", "first", "own"]),
    ...text(search, "labels"),
    ...text(search, "table"),
  }),
  component: lazyRouteComponent(() => import("@/features/crossing/CrossingPage"), "CrossingPage"),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: "/audit",
  validateSearch: (search) => ({
    ...text(search, "run"),
    ...place(search, "after"),
    ...text(search, "account"),
    ...text(search, "of"),
    ...text(search, "since"),
    ...text(search, "until"),
    ...text(search, "row"),
  }),
  component: lazyRouteComponent(() => import("@/features/audit/AuditPage"), "AuditPage"),
});

const chat = createRoute({
  getParentRoute: () => root,
  path: "/chat",
  validateSearch: view,
  component: lazyRouteComponent(() => import("@/features/chat/ChatPage"), "ChatPage"),
});

const run = createRoute({
  getParentRoute: () => root,
  path: "/runs/$id",
  validateSearch: (search) => ({
    ...table(search),
    ...text(search, "metric"),
    ...choice(search, "only", ["failed"]),
  }),
  component: lazyRouteComponent(() => import("@/features/run/RunPage"), "RunPage"),
});

const question = createRoute({
  getParentRoute: () => root,
  path: "/runs/$id/questions/$number",
  validateSearch: view,
  beforeLoad: ({ params }) => expectPlace(params.number),
  component: lazyRouteComponent(() => import("@/features/question/QuestionPage"), "QuestionPage"),
  notFoundComponent: MissingPage,
});

const collections = createRoute({
  getParentRoute: () => root,
  path: "/collections",
  validateSearch: table,
  component: lazyRouteComponent(() => import("@/features/collections/CollectionsPage"), "CollectionsPage"),
});

const collection = createRoute({
  getParentRoute: () => root,
  path: "/collections/$name",
  validateSearch: (search) => ({ ...table(search), ...text(search, "text"), ...place(search, "top") }),
  component: lazyRouteComponent(() => import("@/features/collection/CollectionPage"), "CollectionPage"),
});

const datasets = createRoute({
  getParentRoute: () => root,
  path: "/datasets",
  validateSearch: table,
  component: lazyRouteComponent(() => import("@/features/datasets/DatasetsPage"), "DatasetsPage"),
});

const dataset = createRoute({
  getParentRoute: () => root,
  path: "/datasets/$name",
  validateSearch: (search) => ({
    ...table(search),
    ...text(search, "digest"),
  }),
  component: lazyRouteComponent(() => import("@/features/dataset/DatasetPage"), "DatasetPage"),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  validateSearch: table,
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
    runs,
    compare,
    analysis,
    sweepAnalysis,
    importAnalysis,
    sheetQuestions,
    sheetQuestion,
    timeComparison,
    crossing,
    audit,
    chat,
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
