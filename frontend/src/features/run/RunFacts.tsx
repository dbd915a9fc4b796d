import type { Run } from "@/api/types";
import { formatBytes } from "@/components/numbers/format";
import { Said } from "@/components/Said";
import { t } from "@/words";

/** What it took of the memory, as far as that was read. */
function memory({ memory: taken }: Run): string | null {
  const passer = taken?.passer_bytes;
  const model = taken?.model?.total_bytes;
  if (passer != null && model != null)
    return t("Memory: PaSSER up to {passer}, the model {model}.", {
      passer: formatBytes(passer),
      model: formatBytes(model),
    });
  return passer != null ? t("Memory: PaSSER up to {passer}.", { passer: formatBytes(passer) }) : null;
}

/** What the run does and how far it is, in sentences. */
export function RunFacts({ run }: { run: Run }) {
  const { config, counts } = run;
  const notes = [
    counts.failed > 0 && t("{count, number} failed", { count: counts.failed }),
    counts.uncovered > 0 && t("{count, number} without passages", { count: counts.uncovered }),
    counts.abstained > 0 && t("{count, number} abstained", { count: counts.abstained }),
    counts.truncated > 0 && t("{count, number} truncated", { count: counts.truncated }),
    counts.reused > 0 &&
      t("{count, plural, one {# shared answer} other {# shared answers}}", { count: counts.reused }),
  ].filter((note) => note !== false);
  const first = t(
    "{scored, number} of {questions, plural, one {# question} other {# questions}} of {dataset} scored. Model {model}, passages from {collection}.",
    {
      model: config.model.name,
      collection: config.collection,
      dataset: config.dataset,
      scored: counts.scored,
      questions: counts.questions,
    },
  );
  return (
    <>
      {first} {memory(run)} {run.reason && <Said text={run.reason} />}{" "}
      {notes.length > 0 && `${notes.join(", ")}.`}
    </>
  );
}
