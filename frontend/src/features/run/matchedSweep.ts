import type { Run, SweepDetail } from "@/api/types";

/** Key order is no difference. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => a.localeCompare(b)))
      : inner,
  );
}

/**
 * The newest sweep that sets just this run's threshold against one Normal arm; none is `undefined`.
 *
 * It is known by what it holds, so that one started on the command line is found as well.
 */
export function matchedSweep(run: Run, sweeps: readonly SweepDetail[]): SweepDetail | undefined {
  const wanted = canonical({ ...run.config, repeat: 1 });
  return sweeps.find(({ sweep, runs }) => {
    const [arm, threshold] = runs;
    if (runs.length !== 2 || !arm?.is_baseline || !threshold) return false;
    if (sweep.axes.retrieval.length !== 1 || sweep.baseline?.mode !== "normal") return false;
    return canonical(threshold.config) === wanted;
  });
}
