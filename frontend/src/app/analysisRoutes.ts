import { createRoute } from "@tanstack/react-router";
import { sweepQueries } from "@/api/sweeps";
import { MissingPage } from "./ErrorPages";
import { prefetchImport, prefetchSweeps } from "./prefetch";
import { expectPlace, page, root } from "./root";
import { amount, choice, table, text } from "./search";

const analysis = createRoute({
  getParentRoute: () => root,
  path: "/analysis",
  loader: prefetchSweeps,
  component: page(() => import("@/features/analysis/AnalysisPage"), "AnalysisPage"),
});

const sweepAnalysis = createRoute({
  getParentRoute: () => root,
  path: "/analysis/sweeps/$id",
  validateSearch: (search) => ({
    ...text(search, "table", "constants", "assessment", "primary"),
    ...choice(search, "panel", ["text-1", "text-1-no-meteor", "phase3", "phase3-no-meteor", "phase2"]),
    ...choice(search, "missing", ["worst", "drop"]),
    ...choice(search, "truncated", ["keep", "exclude"]),
    ...choice(search, "scope", ["all", "model", "run"]),
    ...choice(search, "bands", ["phase3", "phase4"]),
    ...amount(search, "margin"),
    ...amount(search, "alpha"),
    ...amount(search, "tcps_alpha"),
    ...amount(search, "tcps_beta"),
    ...amount(search, "right_from"),
  }),
  loader: ({ context: { cache }, params: { id } }) => void cache.prefetchQuery(sweepQueries.detail(id)),
  component: page(() => import("@/features/analysis/SweepAnalysisPage"), "SweepAnalysisPage"),
});

const importAnalysis = createRoute({
  getParentRoute: () => root,
  path: "/analysis/imports/$id",
  validateSearch: (search) => ({
    ...text(search, "table", "constants"),
    ...choice(search, "procedure", ["corrected", "published", "published-phase2"]),
  }),
  loader: ({ context: { cache }, params: { id } }) => prefetchImport(cache, id),
  component: page(() => import("@/features/analysis/ImportPage"), "ImportPage"),
});

const sheetQuestions = createRoute({
  getParentRoute: () => root,
  path: "/analysis/imports/$id/questions",
  validateSearch: (search) => ({
    ...table(search),
    ...text(search, "sheet"),
    ...choice(search, "only", ["repeated", "incomplete"]),
  }),
  loader: ({ context: { cache }, params: { id } }) => prefetchImport(cache, id),
  component: page(() => import("@/features/analysis/SheetQuestionsPage"), "SheetQuestionsPage"),
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
  component: page(() => import("@/features/analysis/SheetQuestionPage"), "SheetQuestionPage"),
  notFoundComponent: MissingPage,
});

const timeComparison = createRoute({
  getParentRoute: () => root,
  path: "/analysis/times",
  validateSearch: (search) => ({
    ...text(search, "here", "there"),
    ...amount(search, "margin"),
    ...amount(search, "scoreMargin"),
  }),
  loader: prefetchSweeps,
  component: page(() => import("@/features/analysis/TimeComparisonPage"), "TimeComparisonPage"),
});

const crossing = createRoute({
  getParentRoute: () => root,
  path: "/analysis/domains",
  validateSearch: (search) => ({
    ...text(search, "first", "second"),
    ...choice(search, "constants", ["joint", "first", "own"]),
    ...text(search, "labels", "table"),
  }),
  loader: prefetchSweeps,
  component: page(() => import("@/features/crossing/CrossingPage"), "CrossingPage"),
});

/** The pages under Analysis. */
export const analysisRoutes = [
  analysis,
  sweepAnalysis,
  importAnalysis,
  sheetQuestions,
  sheetQuestion,
  timeComparison,
  crossing,
] as const;
