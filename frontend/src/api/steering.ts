import { useState } from "react";
import { api } from "./client";
import type { Run } from "./types";

export type Act = Run["acts"][number];

/** In the order in which they are offered. */
export const ACTS = ["pause", "resume", "retry", "cancel"] as const satisfies readonly Act[];

/** The runs that an act changes, as the server lists it. */
export function accepting<Steered extends Run>(act: Act, runs: readonly Steered[]): Steered[] {
  return runs.filter(({ acts }) => acts.includes(act));
}

/** Enter the plan of a sweep that waits in the ledger, before its first question is asked. */
export function useRegisterPlan(onSuccess: () => void) {
  return api.useMutation("post", "/api/v1/sweeps/{sweep_id}/{act}", {
    meta: { changes: ["sweeps"] },
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
