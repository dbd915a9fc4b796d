import type { Model, Sending, Sweep } from "@/api/types";

/** The values of the form, as they are typed; an empty number is "". */
export interface SweepForm {
  name: string;
  collection: string;
  dataset: string;
  models: string[];
  mode: "score" | "normal";
  start: number | "";
  stop: number | "";
  step: number | "";
  maxK: number | "";
  ks: string;
  baseline: boolean;
  baselineK: number | "";
  prompt: string;
  temperature: number | "";
  seed: number | "";
  numCtx: number | "";
  numPredict: number | "";
  topP: number | "";
  topK: number | "";
  noPassages: "abstain" | "ask";
  profile: "standard" | "published";
  repeat: number | "";
  questions: number | "";
}

/** What the form starts with when there was no earlier sweep. */
export const DEFAULTS: SweepForm = {
  name: "",
  collection: "",
  dataset: "",
  models: ["extractive/extractive"],
  mode: "score",
  start: 0.3,
  stop: 0.7,
  step: 0.05,
  maxK: 100,
  ks: "5, 10, 20",
  baseline: true,
  baselineK: "",
  prompt: "default",
  temperature: 0.2,
  seed: 20_260_101,
  numCtx: 4096,
  numPredict: 512,
  topP: 0.9,
  topK: 40,
  noPassages: "abstain",
  profile: "standard",
  repeat: 1,
  questions: "",
};

/** Thresholds from start to stop, both included; none if the step is not positive. */
export function thresholds(start: number | "", stop: number | "", step: number | ""): number[] {
  if (start === "" || stop === "" || step === "" || step <= 0 || stop < start) return [];
  const count = Math.floor((stop - start) / step + 1e-9) + 1;
  return Array.from({ length: count }, (_, i) => Number((start + i * step).toFixed(6)));
}

/** Numbers in a text with commas or spaces between them; what is no number stays, for the server to refuse. */
export function numbers(text: string): number[] {
  return text
    .split(/[\s,;]+/)
    .filter((part) => part !== "")
    .map(Number);
}

/** `provider/tag` as one value of a list. */
export function modelOf(value: string): Model {
  const slash = value.indexOf("/");
  return {
    provider: value.slice(0, slash) as Model["provider"],
    name: value.slice(slash + 1),
  };
}

/** The value of a list for a model. */
export function modelValue(model: Model): string {
  return `${model.provider}/${model.name}`;
}

/** An empty number is left out, so that the server's own default holds. */
function given(value: number | ""): number | undefined {
  return value === "" ? undefined : value;
}

/** The sweep that the form describes. It checks nothing: the server's models do. */
export function toSweep(form: SweepForm, name: string): Sending<Sweep> {
  const isScore = form.mode === "score";
  const models = form.models.map(modelOf);
  return {
    name,
    config: {
      dataset: form.dataset,
      collection: form.collection,
      model: models[0],
      options: {
        temperature: given(form.temperature),
        seed: given(form.seed),
        num_ctx: given(form.numCtx),
        num_predict: given(form.numPredict),
        top_p: given(form.topP),
        top_k: given(form.topK),
      },
      prompt: form.prompt,
      no_passages: form.noPassages,
      profile: form.profile,
      questions: given(form.questions),
    },
    axes: {
      min_similarity: isScore ? thresholds(form.start, form.stop, form.step) : [],
      k: isScore ? [] : numbers(form.ks),
      model: models.length > 1 ? models : [],
      repeat: given(form.repeat),
    },
    baseline: baselineOf(form),
    max_k: isScore ? given(form.maxK) : undefined,
  };
}

function baselineOf(form: SweepForm): Sending<Sweep>["baseline"] {
  if (!form.baseline) return null;
  const k = form.baselineK === "" && form.mode === "score" ? form.maxK : form.baselineK;
  return { mode: "normal", k: given(k) };
}

type Range = Pick<SweepForm, "start" | "stop" | "step">;

function rangeOf(values: readonly number[]): Partial<Range> {
  const [first] = values;
  const last = values.at(-1);
  if (first === undefined || last === undefined) return {};
  const step = values.length > 1 ? Number(((last - first) / (values.length - 1)).toFixed(6)) : DEFAULTS.step;
  return { start: first, stop: last, step };
}

/** The form that describes a sweep: the way back, for a copy. */
export function fromSweep({ config, axes, baseline, max_k }: Sweep): SweepForm {
  const { options } = config;
  return {
    ...DEFAULTS,
    ...rangeOf(axes.min_similarity),
    collection: config.collection,
    dataset: config.dataset,
    models: (axes.model.length > 0 ? axes.model : [config.model]).map(modelValue),
    mode: axes.min_similarity.length > 0 ? "score" : "normal",
    maxK: max_k,
    ks: axes.k.length > 0 ? axes.k.join(", ") : DEFAULTS.ks,
    baseline: baseline != null,
    baselineK: baseline?.mode === "normal" ? baseline.k : "",
    prompt: config.prompt,
    temperature: options.temperature,
    seed: options.seed,
    numCtx: options.num_ctx,
    numPredict: options.num_predict,
    topP: options.top_p,
    topK: options.top_k,
    noPassages: config.no_passages,
    profile: config.profile,
    repeat: axes.repeat,
    questions: config.questions ?? "",
  };
}

/** The form's field for each path of the server's model; the longest path that fits wins. */
const FIELDS: Record<string, keyof SweepForm> = {
  name: "name",
  "config.collection": "collection",
  "config.dataset": "dataset",
  "config.model": "models",
  "axes.model": "models",
  "axes.min_similarity": "stop",
  "axes.k": "ks",
  "axes.repeat": "repeat",
  max_k: "maxK",
  baseline: "baselineK",
  "config.prompt": "prompt",
  "axes.prompt": "prompt",
  "config.options.temperature": "temperature",
  "axes.temperature": "temperature",
  "config.options.seed": "seed",
  "config.options.num_ctx": "numCtx",
  "config.options.num_predict": "numPredict",
  "config.options.top_p": "topP",
  "config.options.top_k": "topK",
  "config.no_passages": "noPassages",
  "config.profile": "profile",
  "config.questions": "questions",
  collection: "collection",
  dataset: "dataset",
  model: "models",
  prompt: "prompt",
};

/** The form's field under which a message about `path` belongs, if there is one. */
export function fieldOf(path: string): keyof SweepForm | null {
  const parts = path.replace(/^body\./, "").split(".");
  for (let length = parts.length; length > 0; length--) {
    const field = FIELDS[parts.slice(0, length).join(".")];
    if (field) return field;
  }
  return null;
}
