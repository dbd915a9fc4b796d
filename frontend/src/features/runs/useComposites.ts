import { useQueries } from "@tanstack/react-query";
import { sweepQueries } from "@/api/sweeps";
import type { ListedRun, RunComposite, SweepComposites } from "@/api/types";

interface Found {
  composites: SweepComposites | undefined;
  composite: RunComposite | undefined;
}

/** CPS of the runs of a page, asked for sweep by sweep beside the list, so that it waits for none. */
export function useComposites(items: readonly ListedRun[]): (item: ListedRun) => Found {
  const scored = items.filter(({ run }) => run.counts.scored > 0);
  const sweeps = [...new Set(scored.map(({ run }) => run.sweep_id))];
  const answers = useQueries({ queries: sweeps.map((id) => sweepQueries.composites(id)) });
  const bySweep = new Map(sweeps.map((id, place) => [id, answers[place]?.data]));
  return ({ run }) => {
    const composites = bySweep.get(run.sweep_id);
    return { composites, composite: composites?.items.find(({ run_id }) => run_id === run.id) };
  };
}
