/**
 * The design of a study as a schema: every member, also one that axes replace, which no run shows.
 *
 * Members that were added later are optional and never state their default.
 */
import * as v from "valibot";
import type { Json } from "../canonical";
import { COLUMNS, chunking, count, real, text } from "../forms";
import {
  asksModel,
  between,
  DENSE,
  few,
  long,
  model,
  type Retriever,
  retriever,
  some,
  whole,
} from "./retriever-form";

export type Values = Record<string, Json>;

const PANELS = ["text-1", "text-1-no-meteor", "phase3", "phase3-no-meteor", "phase2"] as const;
const MOST_REPEATS = 100;
const LARGEST_PRICE = 1e15;

const share = v.pipe(real, v.gtValue(0), v.maxValue(1));
const only = v.optional(v.literal(true));

/** A retrieval setting. */
const cut = v.variant("mode", [
  v.strictObject({ mode: v.literal("normal"), k: few }),
  v.strictObject({
    mode: v.literal("score"),
    min_similarity: between(-1, 1),
    max_k: few,
    k_increment: few,
  }),
  v.strictObject({ mode: v.literal("none") }),
  v.strictObject({
    mode: v.literal("published-score"),
    min_distance: between(0, 2),
    max_k: few,
    k_increment: few,
  }),
  v.strictObject({ mode: v.literal("relative"), share, max_k: few }),
  v.strictObject({ mode: v.literal("gap"), among: whole(2, 1000) }),
]);

const temperature = between(0, 2);
const window = whole(128, 10_000_000);
const options = v.strictObject({
  temperature,
  seed: whole(0, 2 ** 31 - 1),
  num_ctx: window,
  num_predict: whole(1, 1_000_000),
  top_p: share,
  top_k: whole(1, 100_000),
  repeat_penalty: v.optional(between(0, 10)),
  repeat_last_n: v.optional(whole(-1, 1_000_000)),
  min_p: v.optional(between(0, 1)),
  typical_p: v.optional(between(0, 1)),
  presence_penalty: v.optional(between(-2, 2)),
  frequency_penalty: v.optional(between(-2, 2)),
  num_keep: v.optional(whole(-1, 1_000_000)),
  num_batch: v.optional(whole(1, 1_000_000)),
  think: v.optional(v.boolean()),
});
const config = v.strictObject({
  dataset: some,
  collection: some,
  model,
  options,
  retrieval: cut,
  retriever: v.optional(
    v.pipe(
      retriever,
      v.check((value) => value.form !== "dense"),
    ),
  ),
  passage_order: v.optional(v.literal("document")),
  prompt: text,
  no_passages: v.picklist(["abstain", "ask"]),
  profile: v.picklist(["standard", "published"]),
  strip_thinking: v.boolean(),
  repeat: few,
  answers: v.optional(v.literal("repeatable")),
  questions: v.nullable(whole(1, 10_000_000)),
  has_own_seed: only,
});
const money = between(0, LARGEST_PRICE);

const design = v.strictObject({
  name: long(1, 200),
  config,
  axes: v.strictObject({
    min_similarity: v.array(between(-1, 1)),
    k: v.array(few),
    retrieval: v.array(cut),
    model: v.array(model),
    temperature: v.array(temperature),
    prompt: v.array(text),
    retriever: v.optional(v.pipe(v.array(retriever), v.minLength(1))),
    embedding: v.array(some),
    chunking: v.array(chunking),
    repeat: whole(1, MOST_REPEATS),
  }),
  baseline: v.nullable(cut),
  max_k: few,
  k_increment: few,
  timing: v.nullable(v.strictObject({ warm_up: whole(0, 1000) })),
  noise: only,
  primary: v.optional(text),
  judge: v.optional(model),
  margin: v.optional(v.pipe(real, v.gtValue(0))),
  alpha: v.optional(v.pipe(real, v.gtValue(0), v.ltValue(0.5))),
  cost: v.optional(v.picklist(["prompt_tokens", "passages", "seconds", "money"])),
  price: v.optional(
    v.strictObject({ input: money, output: money, currency: v.pipe(text, v.regex(/^[A-Z]{3}$/)) }),
  ),
  panel: v.optional(v.picklist(PANELS)),
  normalisation: v.optional(v.picklist(["min-max", "winsorised"])),
  repeat_seeds: only,
  looks: v.optional(
    v.pipe(
      v.strictObject({ first: v.pipe(count, v.minValue(1)), second: count, is_planned: v.boolean() }),
      v.check(({ first, second }) => second > first),
    ),
  ),
  windows: v.optional(v.pipe(v.array(v.strictObject({ model, num_ctx: window })), v.minLength(1))),
  hypothesis: v.optional(long(1, 2000)),
});

type Stated = v.InferOutput<typeof design>;

/** Whether a threshold would cut a ranking that is not by similarity. */
function isCutOtherwise({ mode }: v.InferOutput<typeof cut>, by: Retriever): boolean {
  return mode !== "normal" && mode !== "none" && by.form !== "dense";
}

function cutsOf({ axes, baseline, config: { retrieval } }: Stated): v.InferOutput<typeof cut>[] {
  const varied = [...axes.retrieval, ...(baseline ? [baseline] : [])];
  const score = { mode: "score" as const, min_similarity: 0, max_k: 1, k_increment: 1 };
  if (axes.min_similarity.length > 0) varied.push(score);
  return [...varied, ...(varied.length + axes.k.length > 0 ? [] : [retrieval])];
}

/** What belongs together: a judge and its column, money and its price, noise and a baseline, looks and questions. */
const checked = v.pipe(
  design,
  v.check(({ judge, primary, looks }) => {
    const isComputed = ["CPS", ...COLUMNS].includes(primary ?? "CPS");
    return judge ? !isComputed && !looks : isComputed;
  }),
  v.check(({ cost, price }) => (cost === "money") === (price !== undefined)),
  v.check(({ noise, baseline }) => !noise || baseline !== null),
  v.check(({ looks, config }) => !looks || [looks.first, looks.second].includes(Number(config.questions))),
  v.check(({ config }) => !isCutOtherwise(config.retrieval, config.retriever ?? DENSE)),
  v.check((whole) => {
    const retrievers = whole.axes.retriever ?? [whole.config.retriever ?? DENSE];
    const isCut = cutsOf(whole).some((each) => retrievers.some((by) => isCutOtherwise(each, by)));
    return !isCut && (whole.timing === null || !retrievers.some(asksModel));
  }),
);

/** A design whose parts are JSON values again, as configurations are made of them. */
export type Design = Omit<Stated, "config" | "axes" | "baseline" | "windows"> & {
  config: Values;
  axes: Omit<Stated["axes"], "retrieval" | "model" | "retriever"> & {
    retrieval: Values[];
    model: Values[];
    retriever?: Values[];
  };
  baseline: Values | null;
  windows?: { model: Values; num_ctx: number }[];
};

/** The design; null for another value. */
export function readDesign(value: unknown): Design | null {
  return v.is(checked, value) ? (value as unknown as Design) : null;
}
