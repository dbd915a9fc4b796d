import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/api/client";
import type { Run } from "@/api/types";
import { showDone } from "@/components/notices";
import { words } from "@/words";

export const ACTS = ["pause", "resume", "retry", "cancel"] as const;
export type Act = (typeof ACTS)[number];

/** Whether an act does something to a run as it is now. */
export const FITS: Record<Act, (run: Run) => boolean> = {
  pause: ({ state }) => state === "running" || state === "queued",
  resume: ({ state }) => state === "paused" || state === "cancelled" || state === "failed",
  cancel: ({ state }) => state === "running" || state === "queued" || state === "paused",
  retry: ({ state, counts }) => counts.failed > 0 && state !== "running" && state !== "queued",
};

/** Steers runs of any sweeps, sweep by sweep. */
export function useSteering() {
  const [busy, setBusy] = useState<Act | null>(null);
  const steer = api.useMutation("post", "/api/v1/sweeps/{sweep_id}/{act}");
  const cache = useQueryClient();
  const act = async (name: Act, runs: readonly Run[]) => {
    setBusy(name);
    const chosen = runs.filter(FITS[name]);
    let isDone = true;
    for (const sweep_id of new Set(chosen.map((run) => run.sweep_id))) {
      const run_id = chosen.filter((run) => run.sweep_id === sweep_id).map(({ id }) => id);
      const params = { path: { sweep_id, act: name }, query: { run_id } };
      // What goes wrong is said by the cache, for each sweep; the others go on.
      await steer.mutateAsync({ params }).catch(() => {
        isDone = false;
      });
    }
    await cache.invalidateQueries();
    setBusy(null);
    if (isDone) showDone(words.runs.steered);
  };
  return { busy, act };
}
