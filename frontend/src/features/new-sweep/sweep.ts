import type { Sending, Sweep } from "@/api/types";
import {
  type Carried,
  DEFAULTS,
  modelOf,
  modelValue,
  numbers,
  type SweepForm,
  thresholdRange,
  thresholdsOf,
} from "./form";

/** An empty number is left out, so that the server's own default holds. */
function given(value: number | ""): number | undefined {
  return value === "" ? undefined : value;
}

/** Several values are an axis; a single one belongs to what all have in common. */
function axis<Value>(values: Value[]): Value[] {
  return values.length > 1 ? values : [];
}

/** The sweep that the form describes. It checks nothing: the server's models do. */
export function toSweep(form: SweepForm, name: string): Sending<Sweep> {
  const models = form.models.map(modelOf);
  const temperatures = numbers(form.temperatures);
  return {
    name,
    config: {
      dataset: form.dataset,
      collection: form.collection,
      model: models[0],
      options: {
        temperature: temperatures[0],
        seed: given(form.seed),
        num_ctx: given(form.numCtx),
        num_predict: given(form.numPredict),
        top_p: given(form.topP),
        top_k: given(form.topK),
      },
      prompt: form.prompts[0],
      no_passages: form.noPassages,
      strip_thinking: form.stripThinking,
      profile: form.profile,
      questions: given(form.questions),
      ...(form.carried ? { retrieval: form.carried.retrieval } : {}),
    },
    axes: {
      min_similarity: thresholdsOf(form),
      k: form.varyK ? numbers(form.ks) : [],
      model: axis(models),
      temperature: axis(temperatures),
      prompt: axis(form.prompts),
      repeat: given(form.repeat),
      ...form.carried?.axes,
    },
    baseline: baselineOf(form),
    max_k: given(form.maxK),
    ...(form.timed ? { timing: { warm_up: given(form.warmUp) } } : {}),
  };
}

function baselineOf(form: SweepForm): Sending<Sweep>["baseline"] {
  if (form.baseline === "copied") return form.carried?.baseline;
  if (form.baseline === "nothing") return null;
  if (form.baseline === "none") return { mode: "none" };
  return { mode: "normal", k: given(form.baselineK === "" ? form.maxK : form.baselineK) };
}

/** The range that gives exactly these thresholds, or the list of them where none does. */
function thresholdFields(
  values: readonly number[],
): Pick<SweepForm, "thresholdsAs" | "start" | "stop" | "step" | "thresholdList"> {
  const { start, stop, step } = DEFAULTS;
  const [first] = values;
  const last = values.at(-1);
  if (first === undefined || last === undefined)
    return { thresholdsAs: "range", start, stop, step, thresholdList: "" };
  const even = values.length > 1 ? Number(((last - first) / (values.length - 1)).toFixed(6)) : step;
  const isRange = thresholdRange(first, last, even).join() === values.join();
  return isRange
    ? { thresholdsAs: "range", start: first, stop: last, step: even, thresholdList: "" }
    : { thresholdsAs: "list", start, stop, step, thresholdList: values.join(", ") };
}

function baselineFields(baseline: Sweep["baseline"]): Pick<SweepForm, "baseline" | "baselineK"> {
  if (baseline == null) return { baseline: "nothing", baselineK: "" };
  if (baseline.mode === "normal") return { baseline: "normal", baselineK: baseline.k };
  return { baseline: baseline.mode === "none" ? "none" : "copied", baselineK: "" };
}

/** What the form has no field for; null where there is nothing of the kind. */
function carriedOf({ config, axes, baseline }: Sweep): Carried | null {
  const { retrieval = [], chunking = [], embedding = [] } = axes;
  const further = retrieval.length + chunking.length + embedding.length > 0;
  const isAlone = axes.min_similarity.length + axes.k.length === 0 && baseline == null;
  const isOther = baseline?.mode === "score" || baseline?.mode === "published-score";
  if (!further && !isAlone && !isOther) return null;
  return { retrieval: config.retrieval, axes: { retrieval, chunking, embedding }, baseline };
}

/** The form that describes a sweep: the way back, for a copy. */
export function fromSweep(sweep: Sweep): SweepForm {
  const { config, axes, baseline, max_k, timing } = sweep;
  const { options } = config;
  const either = <Value>(several: Value[], one: Value) => (several.length > 0 ? several : [one]);
  return {
    ...thresholdFields(axes.min_similarity),
    name: "",
    collection: config.collection,
    dataset: config.dataset,
    models: either(axes.model, config.model).map(modelValue),
    varyThreshold: axes.min_similarity.length > 0,
    maxK: max_k,
    varyK: axes.k.length > 0,
    ks: axes.k.length > 0 ? axes.k.join(", ") : DEFAULTS.ks,
    ...baselineFields(baseline),
    prompts: either(axes.prompt, config.prompt),
    temperatures: either(axes.temperature, options.temperature).join(", "),
    seed: options.seed,
    numCtx: options.num_ctx,
    numPredict: options.num_predict,
    topP: options.top_p,
    topK: options.top_k,
    noPassages: config.no_passages,
    stripThinking: config.strip_thinking,
    profile: config.profile,
    repeat: axes.repeat,
    timed: timing != null,
    warmUp: timing?.warm_up ?? DEFAULTS.warmUp,
    questions: config.questions ?? "",
    carried: carriedOf(sweep),
  };
}
