import { useEffect } from "react";
import { words } from "@/words";
import { api } from "./client";
import { type Problem, readProblem } from "./problem";
import type { Job } from "./types";

const POLL_MS = 500;

/** Why a job failed, or null. */
export function problemOf(job: Job | undefined): Problem | null {
  if (job?.state !== "failed") return null;
  return readProblem(job.problem?.status ?? 500, job.problem, job.message || words.errors.status(500));
}

/** Whether a job still goes on. */
export function isLive(job: Job | undefined): boolean {
  return job?.state === "queued" || job?.state === "running";
}

/** Follow a job until it ends; `onEnd` is called once, with the job as it ended. */
export function useJob(id: string | null, onEnd: (job: Job) => void): Job | undefined {
  const query = api.useQuery(
    "get",
    "/api/v1/jobs/{job_id}",
    { params: { path: { job_id: id ?? "" } } },
    {
      enabled: id !== null,
      refetchInterval: ({ state }) => (state.data && !isLive(state.data) ? false : POLL_MS),
    },
  );
  const job = id === null ? undefined : query.data;
  const ended = job && !isLive(job) ? job : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of the job is the event, the handler is not
  useEffect(() => {
    if (ended) onEnd(ended);
  }, [ended?.id]);
  return job;
}
