import { keepPreviousData } from "@tanstack/react-query";
import type { Middleware } from "openapi-fetch";
import { api, at, client } from "./client";
import { FIXED, LIVE } from "./freshness";

const HARMLESS = ["GET", "HEAD"];

/** Between the tabs of this browser: somebody has signed in or out. */
const tabs = new BroadcastChannel("passer.session");
const CHANGES = /\/api\/v1\/session(\/provider\/reply|\/wallet\/proof)?$/;

let repeated: string | Promise<string> = "";
let tell: (csrf: string) => void = () => {};

/** Requests that change something wait until the session is known: pages are drawn, and ask, before that. */
export function awaitSession(): void {
  repeated = new Promise((resolve) => {
    tell = resolve;
  });
}

/** Requests that change something repeat what the server gave to this page: pages of other sites cannot know it. */
export function repeatInChanges(csrf: string): void {
  tell(csrf);
  repeated = csrf;
}

const session: Middleware = {
  async onRequest({ request }) {
    if (HARMLESS.includes(request.method)) return;
    const csrf = await repeated;
    if (csrf) request.headers.set("X-CSRF-Token", csrf);
  },
  onResponse({ request, response }) {
    if (!response.ok || HARMLESS.includes(request.method)) return;
    if (CHANGES.test(new URL(request.url).pathname)) tabs.postMessage(null);
  },
};
client.use(session);

/** Calls `onChange` when somebody signs in or out in another tab; returns what ends that. */
export function followSession(onChange: () => void): () => void {
  tabs.addEventListener("message", onChange);
  return () => tabs.removeEventListener("message", onChange);
}

export const accountQueries = {
  /** Who uses this page, and whether an account is needed. */
  session: () => api.queryOptions("get", "/api/v1/session", {}, FIXED),
  users: () => api.queryOptions("get", "/api/v1/users", {}, LIVE),
  members: (project: string) =>
    api.queryOptions("get", "/api/v1/projects/{project}/members", at({ project }), LIVE),
  /** Who did what in this project, the newest first. */
  activity: (limit: number) =>
    api.queryOptions(
      "get",
      "/api/v1/activity",
      { params: { query: { limit } } },
      { ...LIVE, placeholderData: keepPreviousData },
    ),
  /** Sign-in methods other than a password. */
  identities: () => api.queryOptions("get", "/api/v1/identities", {}, LIVE),
  tokens: () => api.queryOptions("get", "/api/v1/tokens", {}, LIVE),
};
