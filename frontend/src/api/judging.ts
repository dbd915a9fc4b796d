import { api, at } from "./client";
import {
  CALM_MS,
  changing,
  changingInPlace,
  DERIVED,
  FIXED,
  IN_PLACE,
  KEPT,
  LIVE,
  POLL_MS,
} from "./freshness";
import { isLiveJob } from "./jobs";
import type { AssessmentRequest, ListedAssessment, Sending, TuningRequest } from "./types";

/** Whether an assessment still changes by itself or waits to be resumed. */
export function isOpen({ job }: Pick<ListedAssessment, "job">): boolean {
  return job != null && isLiveJob(job);
}

/** Whether an assessment runs or waits for its turn. */
function isMoving({ job }: Pick<ListedAssessment, "job">): boolean {
  return job?.state === "queued" || job?.state === "running";
}

export const judgingQueries = {
  /** The assessments of a sweep, the newest first. */
  list: (sweep: string) =>
    api.queryOptions(
      "get",
      "/api/v1/assessments",
      { params: { query: { sweep } } },
      { ...LIVE, refetchInterval: ({ state }) => (state.data?.items.some(isMoving) ? POLL_MS : CALM_MS) },
    ),
  /** The assessments that judge the questions of a dataset, the newest first. */
  ofDataset: (dataset: string) =>
    api.queryOptions("get", "/api/v1/assessments", { params: { query: { dataset } } }, LIVE),
  /** Judged metrics that can be the primary metric of a verdict. */
  deciding: () =>
    api.queryOptions(
      "get",
      "/api/v1/metrics",
      { params: { query: { profile: "judged", deciding: true } } },
      FIXED,
    ),
  /** Judged metrics that need no answer in addition to the reference. */
  metricsOfDatasets: () =>
    api.queryOptions(
      "get",
      "/api/v1/metrics",
      { params: { query: { profile: "judged", of_datasets: true } } },
      FIXED,
    ),
  /** One assessment with its results so far. */
  detail: (assessment_id: string) =>
    api.queryOptions("get", "/api/v1/assessments/{assessment_id}", at({ assessment_id }), {
      ...LIVE,
      refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? POLL_MS : false),
    }),
  /** The number of requests and the cost, before the start. */
  plan: (body: Sending<AssessmentRequest>) =>
    api.queryOptions("post", "/api/v1/assessments/plan", { body: body as AssessmentRequest }, KEPT),
  /** The judged values of a run, question by question. */
  run: (assessment_id: string, run_id: string) =>
    api.queryOptions(
      "get",
      "/api/v1/assessments/{assessment_id}/runs/{run_id}",
      at({ assessment_id, run_id }),
      LIVE,
    ),
  /** What each assessment says of one answer; `number` counts from 0. */
  answer: (run_id: string, number: number) =>
    api.queryOptions(
      "get",
      "/api/v1/runs/{run_id}/evaluations/{number}/judged",
      at({ run_id, number }),
      LIVE,
    ),
  thumbs: (run_id: string, number: number) =>
    api.queryOptions(
      "get",
      "/api/v1/runs/{run_id}/evaluations/{number}/thumbs",
      at({ run_id, number }),
      LIVE,
    ),
  /** Thumbs of an answer by the key of its content, also of one that is not saved. */
  answerThumbs: (key: string) => api.queryOptions("get", "/api/v1/answers/{key}/thumbs", at({ key }), LIVE),
  /** Means of a column over the sweeps of a dataset; judged columns and feedback are among them. */
  history: (name: string, column: string) =>
    api.queryOptions("get", "/api/v1/datasets/{name}/history", at({ name }, { column }), KEPT),
  /** The judge compared with people, column by column. */
  agreement: (assessment_id: string) =>
    api.queryOptions("get", "/api/v1/assessments/{assessment_id}/agreement", at({ assessment_id }), DERIVED),
  /** The key facts of the questions of an assessment with a metric of nuggets. */
  keyFacts: (assessment_id: string) =>
    api.queryOptions("get", "/api/v1/assessments/{assessment_id}/key-facts", at({ assessment_id }), FIXED),
  /** What was tuned by the ratings of an assessment's answers, the newest first. */
  tunings: (assessment_id: string) =>
    api.queryOptions("get", "/api/v1/assessments/{assessment_id}/tunings", at({ assessment_id }), {
      ...LIVE,
      refetchInterval: ({ state }) => (state.data?.items.some(isMoving) ? POLL_MS : false),
    }),
  /** The sizes of a tuning's splits and its requests, before the start. */
  tuningPlan: (assessment_id: string, body: Sending<TuningRequest>) =>
    api.queryOptions(
      "post",
      "/api/v1/assessments/{assessment_id}/tunings/plan",
      { params: { path: { assessment_id } }, body: body as TuningRequest },
      KEPT,
    ),
  /** Why answers of lower correctness were low. */
  failures: (assessment_id: string, below: number) =>
    api.queryOptions(
      "get",
      "/api/v1/assessments/{assessment_id}/failures",
      at({ assessment_id }, { below }),
      KEPT,
    ),
  /** Two judges of a sweep side by side. */
  comparison: (assessment_id: string, other: string) =>
    api.queryOptions(
      "get",
      "/api/v1/assessments/{assessment_id}/comparison",
      at({ assessment_id }, { other }),
      LIVE,
    ),
  /** Two columns of the same answers against each other. */
  columns: (assessment_id: string, column: string, other: string) =>
    api.queryOptions(
      "get",
      "/api/v1/assessments/{assessment_id}/columns",
      at({ assessment_id }, { column, other }),
      LIVE,
    ),
  /** The random draws of an assessment with the progress of their raters. */
  draws: (assessment: string) =>
    api.queryOptions("get", "/api/v1/labels/draws", { params: { query: { assessment } } }, LIVE),
  /** The answers of a draw in the order of one rater. */
  queue: (draw_id: string, rater: string) =>
    api.queryOptions("get", "/api/v1/labels/draws/{draw_id}/queue", at({ draw_id }, { rater }), LIVE),
  /** One answer to rate; with the judge's opinion once it is rated. */
  rating: (draw_id: string, item: string, rater: string) =>
    api.queryOptions(
      "get",
      "/api/v1/labels/draws/{draw_id}/items/{item}",
      at({ draw_id, item }, { rater }),
      LIVE,
    ),
  /** A judgement with its prompt and the verbatim replies. */
  judgement: (key: string) =>
    api.queryOptions("get", "/api/v1/assessments/judgements/{key}", at({ key }), FIXED),
};

/** Start an assessment; the caller shows refusals beside the form. */
export const useStartAssessment = () =>
  api.useMutation("post", "/api/v1/assessments", changingInPlace("assessments"));

export const useCancelAssessment = () =>
  api.useMutation(
    "post",
    "/api/v1/assessments/{assessment_id}/cancel",
    changing("assessments", "tournaments"),
  );

/** Resume an assessment with new limits; failed replies are requested again. */
export const useResumeAssessment = () =>
  api.useMutation(
    "post",
    "/api/v1/assessments/{assessment_id}/resume",
    changingInPlace("assessments", "tournaments"),
  );

/** Tune the judge's task by the ratings of people. */
export const useStartTuning = () =>
  api.useMutation("post", "/api/v1/assessments/{assessment_id}/tunings", changingInPlace("assessments"));

/** Save the grades of passages as relevance grades of the Retrieval page. */
export const useSaveQrels = () =>
  api.useMutation("post", "/api/v1/assessments/{assessment_id}/qrels", changingInPlace("rankings"));

/** Draw questions at random whose answers people will rate. */
export const useDrawLabels = () => api.useMutation("post", "/api/v1/labels/draws", changingInPlace("labels"));

/** Import the rated answers of one person. */
export const useImportLabels = () =>
  api.useMutation("post", "/api/v1/labels/draws/{draw_id}/labels", changingInPlace("labels"));

/** Reserve the next answer of a rater, so that two raters do not get the same one at once. */
export const useReserveItem = () => api.useMutation("post", "/api/v1/labels/draws/{draw_id}/next", IN_PLACE);

/** Save a rating; the reply has the judge's opinion. */
export const useRateItem = () =>
  api.useMutation("post", "/api/v1/labels/draws/{draw_id}/items/{item}", changingInPlace("labels"));

/** Rate an answer as good or bad; no name is stored. */
export const useAddThumb = () =>
  api.useMutation("post", "/api/v1/runs/{run_id}/evaluations/{number}/thumbs", changingInPlace("thumbs"));

export const useAddAnswerThumb = () =>
  api.useMutation("post", "/api/v1/answers/{key}/thumbs", changingInPlace("thumbs"));
