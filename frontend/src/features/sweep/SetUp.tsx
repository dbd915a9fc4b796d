import { spanOf } from "@/api/span";
import type { SweepDetail } from "@/api/types";
import { Ago } from "@/components/Moment";
import { formatDuration, formatList, formatPlain } from "@/components/numbers/format";
import { t } from "@/words";

/** Name of the collection and the prompt of systems that retrieve and prompt by themselves. */
const UNKNOWN = "-";
/** Keeps a number beside its unit. */
const NO_BREAK = "\u00a0";

/** What all configurations have in common, and when it ran, in one line. */
export function SetUp({ sweep }: { sweep: SweepDetail }) {
  const { config, axes } = sweep.sweep;
  const models = axes.model.length > 0 ? axes.model : [config.model];
  const parts = [
    t("{count, plural, one {# question} other {# questions}}", { count: sweep.questions }),
    [config.dataset, UNKNOWN].includes(config.collection)
      ? config.dataset
      : `${config.dataset}, ${config.collection}`,
    models.map(({ name }) => name).join(", "),
    t("{count, plural, one {# configuration} other {# configurations}}", { count: sweep.runs.length }),
  ];
  const span = spanOf(sweep);
  return (
    <>
      {parts.map((part) => part.replaceAll(" ", NO_BREAK)).join(" · ")} ·{" "}
      {span ? <Ago at={span.end} /> : <Ago at={sweep.created_at} />}
      {span && ` · ${formatDuration(span.seconds).replaceAll(" ", NO_BREAK)}`}
    </>
  );
}

/** All of it, in a sentence. */
export function settingsOf({ sweep: { config, axes }, runs, questions }: SweepDetail): string {
  const models = axes.model.length > 0 ? axes.model : [config.model];
  const names = models.map(({ name }) => name).join(", ");
  if (config.collection === UNKNOWN) {
    return t(
      "{configurations, plural, one {# configuration} other {# configurations}} × {questions, plural, one {# question} other {# questions}} of {dataset}. External systems: {names}, whose collections, prompts and settings are not known; {profile} metrics.",
      { configurations: runs.length, questions, dataset: config.dataset, names, profile: config.profile },
    );
  }
  return t(
    "{configurations, plural, one {# configuration} other {# configurations}} × {questions, plural, one {# question} other {# questions}} of {dataset}. Passages from {collection}; models: {models}; prompt {prompt}, temperature {temperature}, seed {seed}; {profile} metrics.",
    {
      configurations: runs.length,
      questions,
      dataset: config.dataset,
      collection: config.collection,
      models: names,
      prompt: axes.prompt.join(", ") || config.prompt,
      profile: config.profile,
      temperature: formatList(
        (axes.temperature.length > 0 ? axes.temperature : [config.options.temperature]).map(formatPlain),
      ),
      seed: String(config.options.seed),
    },
  );
}
