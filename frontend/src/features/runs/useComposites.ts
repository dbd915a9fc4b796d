import { useQueries } from "@tanstack/react-query";
import { api } from "@/api/client";
import type { ListedRun, RunComposite, SweepComposites } from "@/api/types";

/** A large sweep takes seconds; its figures are looked at again now and then. */
const STALE_MS = 30_000;

interface Found {
  composites: SweepComposites | undefined;
  composite: RunComposite | undefined;
}

/** CPS of the runs of a page, asked for sweep by sweep beside the list, so that it waits for none. */
export function useComposites(items: readonly ListedRun[]): (item: ListedRun) => Found {
  const scored = items.filter(({ run }) => run.counts.scored > 0);
  const sweeps = [...new Set(scored.map(({ run }) => run.sweep_id))];
  const answers = useQueries({
    queries: sweeps.map((sweep_id) =>
      api.queryOptions(
        "get",
        "/api/v1/runs/composites/{sweep_id}",
        { params: { path: { sweep_id } } },
        { staleTime: STALE_MS },
      ),
    ),
  });
  const bySweep = new Map(sweeps.map((id, place) => [id, answers[place]?.data]));
  return ({ run }) => {
    const composites = bySweep.get(run.sweep_id);
    return { composites, composite: composites?.items.find(({ run_id }) => run_id === run.id) };
  };
}
