import { linkOptions } from "@tanstack/react-router";

/** Where the questions behind a number are. */
export type Goal = ReturnType<typeof ofRun | typeof ofChange | typeof ofSheet>;

/** The questions of a run, or those of them that failed. */
export function ofRun(id: string, only?: "failed") {
  return linkOptions({ to: "/runs/$id", params: { id }, search: only ? { only } : {}, hash: "questions" });
}

/** The questions whose CPS changed most between a run and the one that it is compared with. */
export function ofChange(run: string, baseline: string) {
  return linkOptions({
    to: "/compare",
    search: { runs: `${baseline}~${run}`, baseline, of: run, metric: "CPS", order: "change" },
    hash: "changed",
  });
}

/** The questions of an imported sheet, or those of them that stand in it more than once, or lack a score. */
export function ofSheet(id: string, sheet: string, only?: "repeated" | "incomplete") {
  return linkOptions({
    to: "/analysis/imports/$id/questions",
    params: { id },
    search: only ? { sheet, only } : { sheet },
  });
}
