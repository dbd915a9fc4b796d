import type { SweepDetail } from "@/api/types";
import { Note } from "@/components/Note";
import { words } from "@/words";

/** Why the sweep does not go on, in the server's own sentence; the button that helps stands above. */
export function Stopped({ sweep }: { sweep: SweepDetail }) {
  if (sweep.state !== "paused" && sweep.state !== "failed") return null;
  const reasons = [...new Set(sweep.runs.map((run) => run.reason).filter((reason) => reason != null))];
  if (reasons.length === 0) return null;
  return (
    <Note tone="warn" title={words.shell.states[sweep.state]} role="status">
      {reasons.map((reason) => (
        <div key={reason}>{reason}</div>
      ))}
    </Note>
  );
}
