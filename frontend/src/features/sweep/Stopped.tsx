import type { SweepDetail } from "@/api/types";
import { Note } from "@/components/Note";
import { Said } from "@/components/Said";
import { words } from "@/words";

/** Why the sweep does not go on; the button that helps stands above. */
export function Stopped({ sweep }: { sweep: SweepDetail }) {
  if (sweep.state !== "paused" && sweep.state !== "failed") return null;
  const reasons = [...new Set(sweep.runs.map((run) => run.reason).filter((reason) => reason != null))];
  if (reasons.length === 0) return null;
  return (
    <Note tone="warn" title={words.shell.states[sweep.state]} role="status">
      {reasons.map((reason) => (
        <div key={reason}>
          <Said text={reason} wordings={sweep.wordings} />
        </div>
      ))}
    </Note>
  );
}
