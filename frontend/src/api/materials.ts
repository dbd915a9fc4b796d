import { useQueryClient } from "@tanstack/react-query";
import { api, at } from "./client";
import { changingInPlace, FIXED, forget, IN_PLACE, keepSame, LIVE } from "./freshness";

export const collectionQueries = {
  list: () => api.queryOptions("get", "/api/v1/collections", {}, LIVE),
  passages: (name: string, text: string, top_k: number) =>
    api.queryOptions("get", "/api/v1/collections/{name}/passages", at({ name }, { text, top_k }), {
      ...LIVE,
      placeholderData: keepSame({ name }),
    }),
};

export const datasetQueries = {
  list: () => api.queryOptions("get", "/api/v1/datasets", {}, LIVE),
  detail: (name: string, digest?: string) =>
    api.queryOptions(
      "get",
      "/api/v1/datasets/{name}",
      { params: { path: { name }, query: digest ? { digest } : {} } },
      digest ? FIXED : LIVE,
    ),
  versions: (name: string) => api.queryOptions("get", "/api/v1/datasets/{name}/versions", at({ name }), LIVE),
  difference: (name: string, before: string, after: string) =>
    api.queryOptions("get", "/api/v1/datasets/{name}/difference", at({ name }, { before, after }), FIXED),
};

export const exampleQueries = {
  list: () => api.queryOptions("get", "/api/v1/examples", {}, FIXED),
};

/** Read a file with questions without importing it. */
export const usePreviewQuestions = () => api.useMutation("post", "/api/v1/datasets/previews", IN_PLACE);

/** Import questions as a new dataset or a new version. */
export const useImportQuestions = () =>
  api.useMutation("post", "/api/v1/datasets", changingInPlace("datasets"));

/** Import the files of an experiment of RAGElo; answers with a job. */
export const useImportRagelo = () => api.useMutation("post", "/api/v1/datasets/ragelo", IN_PLACE);

/** Import answers of other tools as configurations of a sweep; answers with a job. */
export const useImportAnswers = () => api.useMutation("post", "/api/v1/datasets/{name}/answers", IN_PLACE);

/** Load example documents and questions; answers with a job. */
export const useLoadExample = () => api.useMutation("post", "/api/v1/examples/{name}");

/** Embed the passages of a collection again; answers with a job. */
export const useReindex = () => api.useMutation("post", "/api/v1/collections/{name}/reindex", IN_PLACE);

/** The three ways to send documents to a collection; each answers with a job. */
export function useSendDocuments() {
  return {
    files: api.useMutation("post", "/api/v1/collections/{name}/documents", IN_PLACE),
    text: api.useMutation("post", "/api/v1/collections/{name}/texts", IN_PLACE),
    address: api.useMutation("post", "/api/v1/collections/{name}/addresses", IN_PLACE),
  };
}

/** Delete a collection or a dataset; `leave` opens another page before what was known of it is removed. */
export function useDeleteMaterial(kind: "collections" | "datasets", leave: () => Promise<void>) {
  const cache = useQueryClient();
  return api.useMutation("delete", `/api/v1/${kind}/{name}`, {
    ...IN_PLACE,
    onSuccess: async () => {
      await leave();
      await forget(cache, kind);
    },
  });
}
