import { type QueryClient, QueryObserver, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { t } from "@/words";
import { api, at } from "./client";
import { CALM_MS, type Change, changing, LIVE, markStale, type QueryOf } from "./freshness";
import { Problem, readProblem } from "./problem";
import type { Job } from "./types";

const POLL_MS = 500;

interface Options {
  /** What the job may change, also where it fails half-way. */
  changes: readonly Change[];
  /** Called once with the job that has finished, and whether the reader is still on the page that started it. */
  onDone: (job: Job, isHere: boolean) => void | Promise<void>;
}

/** Paused work continues without help, or when somebody resumes it. */
export function isLiveJob(job: Job): boolean {
  return job.state === "queued" || job.state === "running" || job.state === "paused";
}

/** Why a job failed, or null. */
function problemOf(job: Job): Problem | null {
  if (job.state !== "failed") return null;
  return readProblem(
    job.problem?.status ?? 500,
    job.problem,
    job.message ||
      t("The server returned status {status, number} without an explanation. Check its log.", {
        status: 500,
      }),
  );
}

export type JobsQuery = QueryOf<"/api/v1/jobs">;

/** Jobs of a kind, or of one collection or dataset; asked often while one is under way. */
export const jobListQuery = (query: JobsQuery) =>
  api.queryOptions(
    "get",
    "/api/v1/jobs",
    { params: { query: { limit: 20, ...query } } },
    { ...LIVE, refetchInterval: ({ state }) => (state.data?.items.some(isLiveJob) ? 2 * POLL_MS : CALM_MS) },
  );

/** Cancel a job; what it has done is kept. */
export const useCancelJob = () => api.useMutation("post", "/api/v1/jobs/{job_id}/cancel", changing("jobs"));

const jobQuery = (job_id: string) =>
  api.queryOptions("get", "/api/v1/jobs/{job_id}", at({ job_id }), {
    // A job that the server no longer knows has ended; any other error may pass.
    refetchInterval: ({ state }) =>
      (state.data && !isLiveJob(state.data)) || isGone(state.error) ? false : POLL_MS,
  });

/** Whether the server was restarted since the job began. */
function isGone(error: unknown): error is Problem {
  return error instanceof Problem && error.isMissing;
}

/** Ask for a job until it ends or the returned function is called. At its end, what it changes is stale before `onEnd`. */
function watch(cache: QueryClient, id: string, changes: readonly Change[], onEnd: (job: Job) => unknown) {
  const observer = new QueryObserver(cache, jobQuery(id));
  const look = ({ data, error }: { data: Job | undefined; error: unknown }) => {
    const ended = data && !isLiveJob(data) ? data : undefined;
    if (!ended && !isGone(error)) return;
    stop();
    if (ended) void markStale(cache, changes).then(() => onEnd(ended));
  };
  const stop = observer.subscribe(look);
  return stop;
}

/**
 * Follow one job until it ends: its progress, whether it is under way, and what went wrong with it or on the way.
 *
 * The job is followed outside the component: a list that the job fills may arrive before its end is known, and then
 * removes the component that started it.
 */
export function useJob({ changes, onDone }: Options) {
  const [id, setId] = useState<string | null>(null);
  const cache = useQueryClient();
  const { data, error } = useQuery({ ...jobQuery(id ?? ""), enabled: false });
  const ended = id !== null && data && !isLiveJob(data) ? data : undefined;
  const isBusy = id !== null && !ended && !isGone(error);
  const stop = useRef(() => {});
  // The handler of the last render: it knows what was chosen just before the job began.
  const handler = useRef(onDone);
  useEffect(() => {
    handler.current = onDone;
  });
  const follow = (next: string | null) => {
    stop.current();
    setId(next);
    if (next === null) return;
    const { pathname } = globalThis.location;
    stop.current = watch(cache, next, changes, (job) => {
      if (job.state === "finished") return handler.current(job, globalThis.location.pathname === pathname);
    });
  };
  /** Forget the last job, and follow the one that a request begins; the mutation of the request has its error. */
  const begin = async (request: Promise<{ job_id: string }>) => {
    follow(null);
    const accepted = await request.catch(() => null);
    if (accepted) follow(accepted.job_id);
  };
  return {
    /** Begin to follow a job by its id; null forgets the last one. */
    follow,
    begin,
    isBusy,
    /** Its progress while it is under way; null before the first report. */
    running: isBusy ? (data ?? null) : null,
    problem: id === null ? null : ((error as Problem | null) ?? (ended ? problemOf(ended) : null)),
  };
}
