import { useState } from "react";
import { api } from "./client";
import { changing, changingInPlace, IN_PLACE } from "./freshness";
import type { Run } from "./types";

export type Act = Run["acts"][number];

/** In the order in which they are offered. */
export const ACTS = ["pause", "resume", "retry", "cancel"] as const satisfies readonly Act[];

/** The runs that an act changes, as the server lists it. */
export function accepting<Steered extends Run>(act: Act, runs: readonly Steered[]): Steered[] {
  return runs.filter(({ acts }) => acts.includes(act));
}

/** Enter the study of a sweep in the ledger. */
export const usePublish = () =>
  api.useMutation("put", "/api/v1/sweeps/{sweep_id}/study", changingInPlace("ledger"));

/** Start a sweep; the caller shows refusals under the form's fields. */
export const useCreateSweep = () => api.useMutation("post", "/api/v1/sweeps", changingInPlace("sweeps"));

/** Resume a sweep with other limits; the caller shows what is refused. */
export const useResumeSweep = () =>
  api.useMutation("post", "/api/v1/sweeps/{sweep_id}/{act}", changingInPlace("sweeps"));

/** Rename, tag, annotate or archive a sweep; the caller shows what is refused. */
export const useAnnotateSweep = () =>
  api.useMutation("patch", "/api/v1/sweeps/{sweep_id}", changingInPlace("sweeps"));

/** Run retrieval only, for a sweep that may be started. */
export const usePreviewSweep = () => api.useMutation("post", "/api/v1/sweeps/previews", IN_PLACE);

/** Compare a run with a fixed k of the same size, in a new sweep. */
export const useMatchRun = () =>
  api.useMutation("post", "/api/v1/runs/{run_id}/k-or-threshold", changing("sweeps"));

/** Enter the plan of a sweep that waits in the ledger, before its first question is asked. */
export function useRegisterPlan(onSuccess: () => void) {
  return api.useMutation("post", "/api/v1/sweeps/{sweep_id}/{act}", {
    ...changing("sweeps"),
    onSuccess,
  });
}

/**
 * Steer runs of any sweeps, sweep by sweep; `steer` tells whether every sweep accepted.
 *
 * Where whole sweeps are meant the server chooses their runs: it also holds those that wait for a model server.
 */
export function useSteering() {
  const [busy, setBusy] = useState<Act | null>(null);
  const { mutateAsync } = api.useMutation("post", "/api/v1/sweeps/{sweep_id}/{act}", {
    meta: { changes: ["sweeps"], warns: true },
  });
  const steer = async (act: Act, runs: readonly Run[], isWhole = false): Promise<boolean> => {
    setBusy(act);
    const chosen = accepting(act, runs);
    let isDone = true;
    for (const sweep_id of new Set(chosen.map((run) => run.sweep_id))) {
      const run_id = chosen.filter((run) => run.sweep_id === sweep_id).map(({ id }) => id);
      const params = { path: { sweep_id, act }, query: isWhole ? {} : { run_id } };
      // The cache shows each refusal; the other sweeps are steered all the same.
      await mutateAsync({ params }).catch(() => {
        isDone = false;
      });
    }
    setBusy(null);
    return isDone;
  };
  return { busy, steer };
}
