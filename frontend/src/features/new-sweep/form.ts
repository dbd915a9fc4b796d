import { usual } from "@/api/defaults";
import type { Sweep } from "@/api/types";
import { FURTHER } from "@/components/models/decoding";
import { BUILT_IN } from "@/components/models/value";
import { DECIMAL } from "@/words/count";

/** What a copied sweep holds beyond the fields of the form: it goes into the copy as it is. */
export interface Carried {
  /** What a run alone retrieves. */
  retrieval: Sweep["config"]["retrieval"];
  axes: Pick<Sweep["axes"], "retrieval" | "chunking" | "embedding">;
  baseline: Sweep["baseline"];
}

/** Options that have no field. Empty for a copy of a sweep of an earlier version, which left them to the server. */
export type Further = Omit<Partial<Sweep["config"]["options"]>, "repeat_penalty" | "think">;

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
  /** The range that a preview proposed last: thresholds that are still these were typed by nobody. */
  proposed: string;
  maxK: number | "";
  /** How many more passages the published program fetches at a time; results here do not depend on it. */
  kIncrement: number | "";
  /** Whether numbers of passages are compared. */
  varyK: boolean;
  ks: string;
  /** Whether cuts relative to the best passage are compared, and with which shares of its similarity. */
  varyShare: boolean;
  shares: string;
  /** Whether a cut at the largest gap is compared. */
  varyGap: boolean;
  baseline: "normal" | "none" | "nothing" | "copied";
  baselineK: number | "";
  /** Names of retrievers, or the JSON of a copied one that has no name. */
  retrievers: string[];
  prompts: string[];
  temperatures: string;
  seed: number | "";
  numCtx: number | "";
  /** Context windows of single models; a model without one has `numCtx`. */
  numCtxOf: Record<string, number | "">;
  numPredict: number | "";
  topP: number | "";
  topK: number | "";
  repeatPenalty: number | "";
  /** Whether models that can think do. */
  think: boolean;
  further: Further;
  noPassages: "abstain" | "ask";
  passageOrder: "rank" | "document";
  stripThinking: boolean;
  /** Whether the server may share what it reads between requests, or must give the same texts each time. */
  answers: "fast" | "repeatable";
  profile: "standard" | "published";
  repeat: number | "";
  /** Whether the baseline is asked once more, to tell how much scores vary when nothing changes. */
  noise: boolean;
  /** Whether it is a timing run, and how many questions of each model warm up. */
  timed: boolean;
  warmUp: number | "";
  questions: number | "";
  /** What the verdict goes by, recorded before the sweep starts. */
  primary: string;
  /** Model whose judged column is the primary metric; empty for every other metric. */
  judge: string;
  /** Cost of a million tokens of the judge; empty: that of the models. */
  judgePrice: string;
  margin: number | "";
  /** Metrics of CPS and bounds of its pool; empty: not recorded, as in older sweeps. */
  panel: string;
  normalisation: "" | "winsorised" | "min-max";
  /** Whether each repeat has a seed of its own; older sweeps repeat the same one. */
  repeatSeeds: boolean;
  alpha: number | "";
  /** What a cheaper configuration saves; money has the price below. */
  cost: "prompt_tokens" | "passages" | "seconds" | "money";
  /** What is expected; with it the plan is registered before the sweep starts. */
  hypothesis: string;
  /** Declared looks, as a next step of a verdict or a copied sweep brings them. */
  looks: Sweep["looks"] | null;
  /** Limits at which the sweep pauses, such as `200k-tokens, 2h`, and the price that money needs. */
  budget: string;
  price: string;
  carried: Carried | null;
}

/** What the form starts with when there was no earlier sweep. */
export const DEFAULTS: SweepForm = {
  name: "",
  collection: "",
  dataset: "",
  models: [BUILT_IN],
  varyThreshold: true,
  thresholdsAs: "range",
  ...usual.thresholds,
  thresholdList: "",
  proposed: "",
  maxK: usual.max_k,
  kIncrement: usual.k_increment,
  varyK: false,
  ks: "5, 10, 20",
  varyShare: false,
  shares: "0.8, 0.85, 0.9",
  varyGap: false,
  baseline: "normal",
  baselineK: "",
  retrievers: ["dense"],
  prompts: ["default"],
  temperatures: String(usual.options.temperature),
  seed: usual.options.seed,
  numCtx: usual.options.num_ctx,
  numCtxOf: {},
  numPredict: usual.options.num_predict,
  topP: usual.options.top_p,
  topK: usual.options.top_k,
  repeatPenalty: usual.options.repeat_penalty ?? "",
  think: usual.options.think ?? false,
  further: FURTHER,
  noPassages: "abstain",
  passageOrder: "rank",
  stripThinking: true,
  answers: "fast",
  profile: "standard",
  repeat: 1,
  noise: false,
  timed: false,
  warmUp: usual.warm_up,
  questions: "",
  primary: usual.primary,
  judge: "",
  judgePrice: "",
  margin: usual.margin,
  panel: usual.panel,
  normalisation: usual.normalisation,
  repeatSeeds: true,
  alpha: usual.alpha,
  cost: "prompt_tokens",
  hypothesis: "",
  looks: null,
  budget: "",
  price: "",
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

/** Numbers with decimals in a text. In a language with a decimal comma, a comma between two digits is one, except after
 * decimals with a point. */
export function decimals(text: string): number[] {
  return numbers(DECIMAL === "," ? text.replaceAll(/(?<=\d)(?<!\.\d+),(?=\d)/g, ".") : text);
}

/** The thresholds that are compared. */
export function thresholdsOf(form: SweepForm): number[] {
  if (!form.varyThreshold) return [];
  return form.thresholdsAs === "range"
    ? thresholdRange(form.start, form.stop, form.step)
    : decimals(form.thresholdList);
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
  noise: "noise",
  max_k: "maxK",
  k_increment: "kIncrement",
  baseline: "baselineK",
  "config.retriever": "retrievers",
  "axes.retriever": "retrievers",
  "config.prompt": "prompts",
  "axes.prompt": "prompts",
  "config.options.temperature": "temperatures",
  "axes.temperature": "temperatures",
  "config.options.seed": "seed",
  "config.options.num_ctx": "numCtx",
  windows: "numCtxOf",
  "config.options.num_predict": "numPredict",
  "config.options.top_p": "topP",
  "config.options.top_k": "topK",
  "config.options.repeat_penalty": "repeatPenalty",
  "config.no_passages": "noPassages",
  "config.passage_order": "passageOrder",
  answers: "answers",
  "config.answers": "answers",
  "config.profile": "profile",
  "config.questions": "questions",
  "timing.warm_up": "warmUp",
  primary: "primary",
  judge: "judge",
  margin: "margin",
  panel: "panel",
  normalisation: "normalisation",
  alpha: "alpha",
  hypothesis: "hypothesis",
  looks: "questions",
  budget: "budget",
  price: "price",
  judge_price: "judgePrice",
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
    if (prefix === "axes.retrieval" && form.varyShare) return "shares";
    const field = FIELDS[prefix];
    if (field) return field;
  }
  return null;
}
