import type { SweepDetail } from "@/api/types";
import { formatCount } from "@/components/numbers/format";
import { words } from "@/words";

/** What all configurations have in common, in one line. */
export function SetUp({ sweep }: { sweep: SweepDetail }) {
  const { config, axes } = sweep.sweep;
  const models = axes.model.length > 0 ? axes.model : [config.model];
  return words.sweep.setUp({
    configurations: formatCount(sweep.runs.length),
    questions: formatCount(sweep.questions),
    dataset: config.dataset,
    collection: config.collection,
    models: models.map(({ name }) => name).join(", "),
    prompt: axes.prompt.join(", ") || config.prompt,
    profile: config.profile,
    temperature: axes.temperature.join(", ") || String(config.options.temperature),
    seed: String(config.options.seed),
  });
}
