import { keepPreviousData } from "@tanstack/react-query";
import type { Middleware } from "openapi-fetch";
import { api, client } from "./client";
import { FIXED, LIVE } from "./freshness";

const HARMLESS = ["GET", "HEAD"];

let repeated = "";

/** Requests that change something repeat what the server gave to this page: pages of other sites cannot know it. */
export function repeatInChanges(csrf: string): void {
  repeated = csrf;
}

const session: Middleware = {
  onRequest({ request }) {
    if (repeated && !HARMLESS.includes(request.method)) request.headers.set("X-CSRF-Token", repeated);
  },
};
client.use(session);

export const accountQueries = {
  /** Who uses this page, and whether an account is needed. */
  session: () => api.queryOptions("get", "/api/v1/session", {}, FIXED),
  users: () => api.queryOptions("get", "/api/v1/users", {}, LIVE),
  members: (project: string) =>
    api.queryOptions("get", "/api/v1/projects/{project}/members", { params: { path: { project } } }, LIVE),
  /** Who did what in this project, the newest first. */
  activity: (limit: number) =>
    api.queryOptions(
      "get",
      "/api/v1/activity",
      { params: { query: { limit } } },
      {
        ...LIVE,
        placeholderData: keepPreviousData,
      },
    ),
  tokens: () => api.queryOptions("get", "/api/v1/tokens", {}, LIVE),
};

export const useSignIn = () => api.useMutation("post", "/api/v1/session", { meta: { shown: true } });
export const useSignOut = () => api.useMutation("delete", "/api/v1/session");
export const useChangePassword = () =>
  api.useMutation("put", "/api/v1/session/password", { meta: { shown: true } });
export const useRecover = () =>
  api.useMutation("post", "/api/v1/session/recovery", { meta: { shown: true } });
export const useAddRecoveryLink = () =>
  api.useMutation("post", "/api/v1/users/{name}/recovery", { meta: { shown: true } });
export const useAddUser = () =>
  api.useMutation("post", "/api/v1/users", { meta: { shown: true, changes: ["accounts"] } });
export const useChangeUser = () =>
  api.useMutation("put", "/api/v1/users/{name}", { meta: { changes: ["accounts"] } });
export const useDeleteUser = () =>
  api.useMutation("delete", "/api/v1/users/{name}", { meta: { shown: true, changes: ["accounts"] } });
export const useAddProject = () =>
  api.useMutation("post", "/api/v1/projects", { meta: { shown: true, changes: ["accounts"] } });
export const useSetMember = () =>
  api.useMutation("put", "/api/v1/projects/{project}/members/{name}", {
    meta: { shown: true, changes: ["accounts"] },
  });
export const useRemoveMember = () =>
  api.useMutation("delete", "/api/v1/projects/{project}/members/{name}", { meta: { changes: ["accounts"] } });
export const useCreateToken = () =>
  api.useMutation("post", "/api/v1/tokens", { meta: { shown: true, changes: ["accounts"] } });
export const useDeleteToken = () =>
  api.useMutation("delete", "/api/v1/tokens/{token_id}", { meta: { changes: ["accounts"] } });
