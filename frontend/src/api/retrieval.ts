import { queryOptions, useMutation } from "@tanstack/react-query";
import { api, at, client } from "./client";
import { changing, changingInPlace, DERIVED, FIXED, LIVE } from "./freshness";
import { answerOf, STREAM } from "./stream";
import type { QuestionRequest, RetrievalReport, RetrievalRequest } from "./types";

/** How far a comparison is. */
export interface Step {
  /** The retriever that ranks now. */
  message: string;
  /** Questions that it is done with. */
  done: number;
  total: number;
}

export const retrievalQueries = {
  rerankers: () => api.queryOptions("get", "/api/v1/retrievals/rerankers", {}, FIXED),
  rankings: () => api.queryOptions("get", "/api/v1/rankings", {}, LIVE),
  termMaps: () => api.queryOptions("get", "/api/v1/term-maps", {}, LIVE),
  termMap: (name: string) => api.queryOptions("get", "/api/v1/term-maps/{name}", at({ name }), DERIVED),
  question: (body: QuestionRequest) =>
    api.queryOptions("post", "/api/v1/retrievals/question", { body }, DERIVED),
  ratings: (dataset: string, question_id: string, collection: string) =>
    api.queryOptions(
      "get",
      "/api/v1/retrievals/ratings",
      { params: { query: { dataset, question_id, collection } } },
      LIVE,
    ),
  /** A comparison; `onStep` hears how many questions are ranked. */
  compared: (body: RetrievalRequest, onStep: (step: Step) => void) =>
    queryOptions({
      ...DERIVED,
      // Of the form of all other keys, so that what makes rankings stale finds it.
      queryKey: ["post", "/api/v1/retrievals", { body }],
      queryFn: async ({ signal }): Promise<RetrievalReport> => {
        const { data } = await client.POST("/api/v1/retrievals", { body, signal, ...STREAM });
        return answerOf(data, (_, step) => onStep(step as Step));
      },
    }),
};

/** The rankings of a comparison as TREC files, in a zip. */
export const useExportTrec = (body: RetrievalRequest) =>
  useMutation({
    mutationFn: async () => {
      const { data } = await client.POST("/api/v1/retrievals/trec", { body, parseAs: "blob" });
      return data as unknown as Blob;
    },
  });

/** Save how relevant a passage is; `measured`: whether grades of people may measure what is shown. */
export const useRatePassage = (measured: boolean) =>
  api.useMutation("post", "/api/v1/retrievals/ratings", {
    meta: { shown: true, changes: measured ? ["passage ratings", "rankings"] : ["passage ratings"] },
  });

/** Import a ranking or relevance grades; a file with a wrong line is refused whole. */
export const useImportRanking = () =>
  api.useMutation("put", "/api/v1/rankings/{kind}/{name}", changingInPlace("rankings"));

/** Save a term map under a name. */
export const useSaveTermMap = () =>
  api.useMutation("put", "/api/v1/term-maps/{name}", changingInPlace("term maps"));

/** Delete what was imported for retrieval. */
export function useDeleteInput() {
  return {
    ranking: api.useMutation("delete", "/api/v1/rankings/{kind}/{name}", changing("rankings")),
    terms: api.useMutation("delete", "/api/v1/term-maps/{name}", changing("term maps")),
  };
}
