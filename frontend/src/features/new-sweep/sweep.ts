import { usual } from "@/api/defaults";
import type { Run, Sending, Sweep, SweepPlan } from "@/api/types";
import { looksOf } from "@/components/looks";
import { RETRIEVERS, retrieverOf, retrieverValue } from "@/components/material/retrievers";
import { modelOf, modelValue } from "@/components/models/value";
import {
  type Carried,
  DEFAULTS,
  decimals,
  type Further,
  numbers,
  type SweepForm,
  thresholdRange,
  thresholdsOf,
} from "./form";

/** Most passages of a relative cut, and how many passages a gap is looked for among, where the form made them. */
const MOST_KEPT = 100;
const GAP_AMONG = 20;

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
  const temperatures = decimals(form.temperatures);
  const retrievers = form.retrievers.map(retrieverOf);
  const windows = form.models.flatMap((value) => {
    const num_ctx = given(form.numCtxOf[value] ?? "");
    return num_ctx === undefined ? [] : [{ model: modelOf(value), num_ctx }];
  });
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
        repeat_penalty: given(form.repeatPenalty),
        ...(form.think || Object.keys(form.further).length > 0 ? { think: form.think } : {}),
        ...form.further,
      },
      retriever: retrievers[0],
      prompt: form.prompts[0],
      no_passages: form.noPassages,
      passage_order: form.passageOrder,
      strip_thinking: form.stripThinking,
      answers: form.answers,
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
      retriever: axis(retrievers),
      repeat: given(form.repeat),
      ...form.carried?.axes,
      retrieval: [...adaptiveOf(form), ...(form.carried?.axes.retrieval ?? [])],
    },
    baseline: baselineOf(form),
    max_k: given(form.maxK),
    k_increment: given(form.kIncrement),
    primary: form.primary,
    ...(form.judge ? { judge: modelOf(form.judge) } : {}),
    margin: given(form.margin),
    panel: form.panel || null,
    normalisation: form.normalisation || null,
    repeat_seeds: form.repeatSeeds,
    alpha: given(form.alpha),
    ...costOf(form),
    ...(form.hypothesis.trim() ? { hypothesis: form.hypothesis.trim() } : {}),
    ...(form.noise && form.baseline !== "nothing" ? { noise: true } : {}),
    ...(form.looks ? { looks: form.looks } : {}),
    ...(windows.length > 0 ? { windows } : {}),
    ...(form.timed ? { timing: { warm_up: given(form.warmUp) } } : {}),
  };
}

/** What cost is measured by, unless it is the default; money has a price. */
function costOf({ cost, price }: SweepForm) {
  if (cost === "prompt_tokens") return {};
  // The server reads a price as it is typed; its schema is that of what it answers.
  return { cost, ...(cost === "money" ? { price: price as Sending<Sweep["price"] & string> } : {}) };
}

type Policy = Sweep["axes"]["retrieval"][number];

/** The cuts that adapt to each question. */
function adaptiveOf(form: SweepForm): Policy[] {
  const shares = form.varyShare ? decimals(form.shares) : [];
  const relative = shares.map((share): Policy => ({ mode: "relative", share, max_k: MOST_KEPT }));
  return form.varyGap ? [...relative, { mode: "gap", among: GAP_AMONG }] : relative;
}

/** Whether the form has a field for a policy. */
function isAdaptive(policy: Policy): boolean {
  return policy.mode === "relative"
    ? policy.max_k === MOST_KEPT
    : policy.mode === "gap" && policy.among === GAP_AMONG;
}

function adaptiveFields(retrieval: Policy[]): Pick<SweepForm, "varyShare" | "shares" | "varyGap"> {
  const known = retrieval.filter(isAdaptive);
  const shares = known.flatMap((policy) => (policy.mode === "relative" ? [policy.share] : []));
  return {
    varyShare: shares.length > 0,
    shares: shares.length > 0 ? shares.join(", ") : DEFAULTS.shares,
    varyGap: known.some(({ mode }) => mode === "gap"),
  };
}

function baselineOf(form: SweepForm): Sending<Sweep>["baseline"] {
  if (form.baseline === "copied") return form.carried?.baseline;
  if (form.baseline === "nothing") return null;
  if (form.baseline === "none") return { mode: "none" };
  return { mode: "normal", k: form.baselineK === "" ? usual.baseline_k : form.baselineK };
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
  const { chunking = [], embedding = [] } = axes;
  const retrieval = (axes.retrieval ?? []).filter((policy) => !isAdaptive(policy));
  const further = retrieval.length + chunking.length + embedding.length > 0;
  const isAlone =
    axes.min_similarity.length + axes.k.length + (axes.retrieval?.length ?? 0) === 0 && baseline == null;
  const isOther = baseline != null && baseline.mode !== "normal" && baseline.mode !== "none";
  if (!further && !isAlone && !isOther) return null;
  return { retrieval: config.retrieval, axes: { retrieval, chunking, embedding }, baseline };
}

/** The set options among those that the form shows no field for. */
function furtherOf(options: Sweep["config"]["options"]): Further {
  const names = Object.keys(DEFAULTS.further) as (keyof Further)[];
  return Object.fromEntries(names.flatMap((name) => (options[name] == null ? [] : [[name, options[name]]])));
}

/** A price as it is typed: of a million tokens of prompts and of answers, with its currency. */
function priceText(price: Sweep["price"]): string {
  return price == null ? "" : `${price.input},${price.output} ${price.currency}`;
}

/** What the verdict goes by; a server leaves out what is not recorded. */
function ruleFields(sweep: Sweep) {
  return {
    primary: sweep.primary ?? DEFAULTS.primary,
    judge: sweep.judge ? modelValue(sweep.judge) : "",
    margin: sweep.margin ?? DEFAULTS.margin,
    panel: sweep.panel ?? "",
    normalisation: sweep.normalisation ?? "",
    alpha: sweep.alpha ?? DEFAULTS.alpha,
    cost: sweep.cost ?? DEFAULTS.cost,
    price: priceText(sweep.price),
    hypothesis: sweep.hypothesis ?? "",
    looks: sweep.looks ?? null,
    repeatSeeds: sweep.repeat_seeds ?? false,
    noise: sweep.noise ?? false,
  } satisfies Partial<SweepForm>;
}

/** The form that describes a sweep: the way back, for a copy. */
export function fromSweep(sweep: Sweep): SweepForm {
  const { config, axes, baseline, max_k, k_increment, timing } = sweep;
  const { options } = config;
  const either = <Value>(several: Value[], one: Value) => (several.length > 0 ? several : [one]);
  return {
    ...thresholdFields(axes.min_similarity),
    proposed: "",
    name: "",
    collection: config.collection,
    dataset: config.dataset,
    models: either(axes.model, config.model).map(modelValue),
    varyThreshold: axes.min_similarity.length > 0,
    maxK: max_k,
    kIncrement: k_increment,
    varyK: axes.k.length > 0,
    ks: axes.k.length > 0 ? axes.k.join(", ") : DEFAULTS.ks,
    ...adaptiveFields(axes.retrieval ?? []),
    ...baselineFields(baseline),
    // A server leaves both out where the dense retriever is the only one.
    retrievers: either(axes.retriever ?? [], config.retriever ?? RETRIEVERS.dense).map(retrieverValue),
    prompts: either(axes.prompt, config.prompt),
    temperatures: either(axes.temperature, options.temperature).join(", "),
    seed: options.seed,
    numCtx: options.num_ctx,
    numCtxOf: Object.fromEntries(
      (sweep.windows ?? []).map(({ model, num_ctx }) => [modelValue(model), num_ctx]),
    ),
    numPredict: options.num_predict,
    topP: options.top_p,
    topK: options.top_k,
    repeatPenalty: options.repeat_penalty ?? "",
    think: options.think ?? false,
    further: furtherOf(options),
    noPassages: config.no_passages,
    passageOrder: config.passage_order ?? "rank",
    stripThinking: config.strip_thinking,
    // A server leaves it out where it is fast.
    answers: config.answers ?? "fast",
    profile: config.profile,
    repeat: axes.repeat,
    timed: timing != null,
    warmUp: timing?.warm_up ?? DEFAULTS.warmUp,
    questions: config.questions ?? "",
    ...ruleFields(sweep),
    budget: "",
    judgePrice: "",
    carried: carriedOf(sweep),
  };
}

/** The form with what can replace the missing parts; a collection and questions are for a person to choose. */
export function withReplacements(form: SweepForm, missing: SweepPlan["missing"]): SweepForm {
  const replaced = new Map(
    missing.flatMap(({ model, replacement }) =>
      model && replacement ? [[modelValue(model), modelValue(replacement)] as const] : [],
    ),
  );
  const { carried } = form;
  // A collection that is embedded otherwise is also split otherwise, as it happens to be.
  const isEmbedded = missing.every(({ kind }) => kind !== "embedding");
  return {
    ...form,
    models: [...new Set(form.models.map((value) => replaced.get(value) ?? value))],
    carried:
      carried === null || isEmbedded
        ? carried
        : { ...carried, axes: { ...carried.axes, embedding: [], chunking: [] } },
  };
}

/** What a next step of a verdict changes in the copy of its sweep. */
export interface Step {
  /** The run whose model is kept; all models without one. */
  run?: string | undefined;
  thresholds?: string | undefined;
  k?: string | undefined;
  questions?: number | undefined;
  /** First and second number of questions: `60-140`, with `!` where the second look was not planned. */
  looks?: string | undefined;
}

/** The form of a copied sweep with the settings of a next step. */
export function withStep(
  form: SweepForm,
  { run, thresholds, k, questions, looks }: Step,
  runs: readonly Pick<Run, "id" | "config">[],
): SweepForm {
  const model = runs.find(({ id }) => id === run)?.config.model;
  const values = thresholds === undefined ? [] : numbers(thresholds);
  return {
    ...form,
    ...(model ? { models: [modelValue(model)] } : {}),
    ...(values.length > 0 ? { ...thresholdFields(values), varyThreshold: true } : {}),
    ...(k === undefined ? {} : { varyK: true, ks: k }),
    ...(questions === undefined ? {} : { questions }),
    ...(looks === undefined ? {} : { looks: looksOf(looks) ?? null }),
  };
}
