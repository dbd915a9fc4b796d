import type { SweepDetail } from "@/api/types";
import { Note } from "@/components/Note";
import { Said } from "@/components/Said";
import { STATES } from "@/words/states";
import { RaiseBudget } from "./RaiseBudget";

/** Why the sweep does not go on; the button that helps stands above. */
export function Stopped({ sweep }: { sweep: SweepDetail }) {
  if (sweep.state !== "paused" && sweep.state !== "failed") return null;
  const reasons = [...new Set(sweep.runs.map((run) => run.reason).filter((reason) => reason != null))];
  if (reasons.length === 0) return null;
  return (
    <Note tone="warn" title={STATES[sweep.state]} role="status">
      {reasons.map((reason) => (
        <div key={reason}>
          <Said text={reason} />
        </div>
      ))}
      {sweep.state === "paused" && sweep.budget_used !== null && <RaiseBudget id={sweep.id} />}
    </Note>
  );
}
