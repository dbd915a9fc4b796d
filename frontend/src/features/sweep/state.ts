import { isMoving } from "@/api/runs";
import type { RunCounts, SweepDetail } from "@/api/types";

/** Where on the page the report and the bundles are. */
export const OUTLETS = "outlets";

/**
 * Whether there is a table to show: nothing runs or waits to go on, and something was scored.
 *
 * A paused sweep shows no gains: who looks at them and then decides whether to go on finds something more often than the
 * level of the verdict says.
 */
export function isSettled(sweep: SweepDetail): boolean {
  return !isMoving(sweep.state) && sweep.state !== "paused" && sum(sweep, "scored") > 0;
}

/** A count over all runs of the sweep. */
export function sum(sweep: SweepDetail, count: keyof RunCounts): number {
  return sweep.runs.reduce((total, run) => total + run.counts[count], 0);
}

/** Id of the results on the page of a sweep. */
export const RESULTS = "results";
