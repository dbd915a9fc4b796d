import type { Model, Sweep } from "@/api/types";

/** What a copied sweep holds beyond the fields of the form: it goes into the copy as it is. */
export interface Carried {
  /** What a run alone retrieves. */
  retrieval: Sweep["config"]["retrieval"];
  axes: Pick<Sweep["axes"], "retrieval" | "chunking" | "embedding">;
  baseline: Sweep["baseline"];
}

/** The values of the form, as they are typed; an empty number is "", a list of numbers is a text. */
export interface SweepForm {
  name: string;
  collection: string;
  dataset: string;
  models: string[];
  /** Whether thresholds are compared, and how they are given. */
  varyThreshold: boolean;
  thresholdsAs: "range" | "list";
  start: number | "";
  stop: number | "";
  step: number | "";
  thresholdList: string;
  maxK: number | "";
  /** Whether numbers of passages are compared. */
  varyK: boolean;
  ks: string;
  baseline: "normal" | "none" | "nothing" | "copied";
  baselineK: number | "";
  prompts: string[];
  temperatures: string;
  seed: number | "";
  numCtx: number | "";
  numPredict: number | "";
  topP: number | "";
  topK: number | "";
  noPassages: "abstain" | "ask";
  stripThinking: boolean;
  profile: "standard" | "published";
  repeat: number | "";
  /** Whether it is a timing run, and how many questions of each model warm up. */
  timed: boolean;
  warmUp: number | "";
  questions: number | "";
  carried: Carried | null;
}

/** What the form starts with when there was no earlier sweep. */
export const DEFAULTS: SweepForm = {
  name: "",
  collection: "",
  dataset: "",
  models: ["extractive/extractive"],
  varyThreshold: true,
  thresholdsAs: "range",
  start: 0.3,
  stop: 0.7,
  step: 0.05,
  thresholdList: "",
  maxK: 100,
  varyK: false,
  ks: "5, 10, 20",
  baseline: "normal",
  baselineK: "",
  prompts: ["default"],
  temperatures: "0.2",
  seed: 20_260_101,
  numCtx: 4096,
  numPredict: 512,
  topP: 0.9,
  topK: 40,
  noPassages: "abstain",
  stripThinking: true,
  profile: "standard",
  repeat: 1,
  timed: false,
  warmUp: 3,
  questions: "",
  carried: null,
};

/** Thresholds from start to stop, both included; none if the step is not positive. */
export function thresholdRange(start: number | "", stop: number | "", step: number | ""): number[] {
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

/** The thresholds that are compared. */
export function thresholdsOf(form: SweepForm): number[] {
  if (!form.varyThreshold) return [];
  return form.thresholdsAs === "range"
    ? thresholdRange(form.start, form.stop, form.step)
    : numbers(form.thresholdList);
}

const AT = " @ ";

/** `provider/tag`, with the server's address where it has one of its own. */
export function modelValue({ provider, name, base_url }: Model): string {
  return `${provider}/${name}${base_url ? AT + base_url : ""}`;
}

/** The model of such a value. */
export function modelOf(value: string): Model {
  const [model = "", address] = value.split(AT);
  const slash = model.indexOf("/");
  return {
    provider: model.slice(0, slash) as Model["provider"],
    name: model.slice(slash + 1),
    ...(address ? { base_url: address } : {}),
  };
}

/** The form's field for each path of the server's model; the longest path that fits wins. */
const FIELDS: Record<string, keyof SweepForm> = {
  name: "name",
  "config.collection": "collection",
  "config.dataset": "dataset",
  "config.model": "models",
  "axes.model": "models",
  "axes.k": "ks",
  "axes.repeat": "repeat",
  max_k: "maxK",
  baseline: "baselineK",
  "config.prompt": "prompts",
  "axes.prompt": "prompts",
  "config.options.temperature": "temperatures",
  "axes.temperature": "temperatures",
  "config.options.seed": "seed",
  "config.options.num_ctx": "numCtx",
  "config.options.num_predict": "numPredict",
  "config.options.top_p": "topP",
  "config.options.top_k": "topK",
  "config.no_passages": "noPassages",
  "config.profile": "profile",
  "config.questions": "questions",
  "timing.warm_up": "warmUp",
  // Services name what they refuse without the way to it.
  collection: "collection",
  dataset: "dataset",
  model: "models",
  prompt: "prompts",
};

/** The form's field under which a message about `path` belongs, if there is one. */
export function fieldOf(path: string, form: SweepForm): keyof SweepForm | null {
  const parts = path.replace(/^body\./, "").split(".");
  for (let length = parts.length; length > 0; length--) {
    const prefix = parts.slice(0, length).join(".");
    if (prefix === "axes.min_similarity") return form.thresholdsAs === "list" ? "thresholdList" : "stop";
    const field = FIELDS[prefix];
    if (field) return field;
  }
  return null;
}
