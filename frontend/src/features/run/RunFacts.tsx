import type { Run } from "@/api/types";
import { formatCount } from "@/components/numbers/format";
import { Said } from "@/components/Said";
import { words } from "@/words";

/** What the run does and how far it is, in sentences. */
export function RunFacts({ run }: { run: Run }) {
  const { config, counts } = run;
  const { lead, failed, uncovered, abstained, truncated, reused } = words.run;
  const notes = [
    counts.failed > 0 && failed(formatCount(counts.failed)),
    counts.uncovered > 0 && uncovered(formatCount(counts.uncovered)),
    counts.abstained > 0 && abstained(formatCount(counts.abstained)),
    counts.truncated > 0 && truncated(formatCount(counts.truncated)),
    counts.reused > 0 && reused(formatCount(counts.reused)),
  ].filter((note) => note !== false);
  const first = lead({
    model: config.model.name,
    collection: config.collection,
    dataset: config.dataset,
    scored: formatCount(counts.scored),
    questions: formatCount(counts.questions),
  });
  return (
    <>
      {first} {run.reason && <Said text={run.reason} wordings={run.wordings} />}{" "}
      {notes.length > 0 && `${notes.join(", ")}.`}
    </>
  );
}
