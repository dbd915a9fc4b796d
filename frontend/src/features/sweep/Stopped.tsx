import type { SweepDetail } from "@/api/types";
import { Note } from "@/components/Note";
import { Said } from "@/components/Said";
import { STATES } from "@/words/states";
import { RaiseBudget } from "./RaiseBudget";

/**
 * Why the sweep does not go on. The header has the button that helps; a new budget is entered here. The state is the
 * badge's to say, and the reasons of a pause begin with it.
 */
export function Stopped({ sweep }: { sweep: SweepDetail }) {
  const { state } = sweep;
  const reasons = [...new Set(reasonsOf(sweep))];
  if (reasons.length === 0) return null;
  return (
    <Note tone="warn" title={state === "paused" ? undefined : STATES[state]} role="status">
      {reasons.map((reason) => (
        <div key={reason}>
          <Said text={reason} />
        </div>
      ))}
      {state !== "failed" && sweep.budget_used !== null && <RaiseBudget id={sweep.id} />}
    </Note>
  );
}

/** A cancelled sweep needs no reason, unless only a larger budget resumes it. */
function reasonsOf({ state, runs, used_up }: SweepDetail): string[] {
  if (state === "cancelled") return used_up ? [used_up] : [];
  if (state !== "paused" && state !== "failed") return [];
  return runs.map((run) => run.reason).filter((reason) => reason != null);
}
