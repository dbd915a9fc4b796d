import { isOpen } from "@/api/states";
import type { RunCounts, SweepDetail } from "@/api/types";

/** Where on the page the report and the bundles are. */
export const OUTLETS = "outlets";

/** Whether there is a table to show: the sweep is at rest, and something was scored. */
export function isSettled(sweep: SweepDetail): boolean {
  return !isOpen(sweep.state) && sum(sweep, "scored") > 0;
}

/** A count over all runs of the sweep. */
export function sum(sweep: SweepDetail, count: keyof RunCounts): number {
  return sweep.runs.reduce((total, run) => total + run.counts[count], 0);
}

/** Id of the results on the page of a sweep. */
export const RESULTS = "results";
