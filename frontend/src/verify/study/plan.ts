/** The runs that a design plans: docs/study.md. */
import * as v from "valibot";
import { digestOf } from "../bytes";
import { canonical, type Json } from "../canonical";
import { COLUMNS, chunking, count, mapOf, real, text } from "../forms";
import type { Wrong } from "../steps";
import { otherwise } from "../verdict-check";
import type { StudyDocument } from "./form";

const SEEDS = 2 ** 31;
const MOST_RUNS = 10_000;
const MOST_REPEATS = 100;
const LONGEST_COLLECTION_NAME = 63;
const PROVIDERS = ["extractive", "local", "ollama", "openai", "outside"] as const;
const NOTHING = "-";
const DENSE = { form: "dense" };

type Values = Record<string, Json>;
const values: v.GenericSchema<Values> = mapOf<Json>(v.custom<Json>(() => true));
const list = v.array(values);
const few = v.pipe(count, v.minValue(1), v.maxValue(1000));
const between = (least: number, most: number) => v.pipe(real, v.minValue(least), v.maxValue(most));
/** What a retrieval setting states. Where axes replace one, no run shows whether it is one. */
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
  v.strictObject({
    mode: v.literal("relative"),
    share: v.pipe(real, v.gtValue(0), v.maxValue(1)),
    max_k: few,
  }),
  v.strictObject({ mode: v.literal("gap"), among: v.pipe(few, v.minValue(2)) }),
]);
const askedModel = v.strictObject({
  provider: v.picklist(PROVIDERS),
  name: v.pipe(text, v.minLength(1)),
  base_url: v.nullable(text),
});
const only = v.optional(v.literal(true));

const design = v.strictObject({
  name: text,
  config: values,
  axes: v.strictObject({
    min_similarity: v.array(real),
    k: v.array(count),
    retrieval: list,
    model: list,
    temperature: v.array(real),
    prompt: v.array(text),
    retriever: v.optional(v.pipe(list, v.minLength(1))),
    embedding: v.array(v.pipe(text, v.minLength(1))),
    chunking: v.array(chunking),
    repeat: v.pipe(count, v.minValue(1), v.maxValue(MOST_REPEATS)),
  }),
  baseline: v.nullable(values),
  max_k: count,
  k_increment: count,
  timing: v.nullable(values),
  noise: only,
  primary: v.optional(text),
  judge: v.optional(values),
  margin: v.optional(v.pipe(real, v.gtValue(0))),
  alpha: v.optional(v.pipe(real, v.gtValue(0), v.ltValue(0.5))),
  cost: v.optional(v.picklist(["prompt_tokens", "passages", "seconds", "money"])),
  price: v.optional(values),
  panel: v.optional(text),
  normalisation: v.optional(v.picklist(["min-max", "winsorised"])),
  repeat_seeds: only,
  looks: v.optional(v.strictObject({ first: count, second: count, is_planned: v.boolean() })),
  windows: v.optional(v.pipe(v.array(v.strictObject({ model: values, num_ctx: count })), v.minLength(1))),
  hypothesis: v.optional(text),
});
type Design = v.InferOutput<typeof design>;

/** What belongs together: a judge and its column, money and its price, noise and a baseline, looks and questions. */
const designForm = v.pipe(
  design,
  v.check(({ config }) => v.is(cut, config.retrieval) && v.is(askedModel, config.model)),
  v.check(({ judge, primary, looks }) => {
    const isComputed = ["CPS", ...COLUMNS].includes(primary ?? "CPS");
    return judge ? !isComputed && !looks : isComputed;
  }),
  v.check(({ cost, price }) => (cost === "money") === (price !== undefined)),
  v.check(({ noise, baseline }) => !noise || baseline !== null),
  v.check(({ looks, config }) => !looks || [looks.first, looks.second].includes(Number(config.questions))),
);

interface Cell {
  config: Values;
  isBaseline: boolean;
}

/** In what the design does not plan the runs of study.json, in any order and those that are left out included. */
export async function planProblem(study: StudyDocument): Promise<Wrong | null> {
  // A design that is not the one of its digest plans nothing: the step before has named it.
  if ((await digestOf(canonical(study.design))) !== study.design_digest)
    return { why: "no_design", field: "design" };
  const problem = await problemOf(study, "of all alike");
  // A study does not name connections. Models that differed in nothing else may have had windows of their own.
  return problem && (await problemOf(study, "one each")) && problem;
}

/** Whether the window of a model is that of all models like it, or equal models take one window after the other. */
type Windows = "of all alike" | "one each";

async function problemOf(study: StudyDocument, windows: Windows): Promise<Wrong | null> {
  const read = v.safeParse(designForm, study.design);
  const cells = read.success ? await cellsOf(read.output, windows) : null;
  if (!cells) return { why: "no_design", field: "design" };
  if (study.design.name !== study.sweep.name) return otherwise("design.name");
  const planned = await Promise.all(
    cells.map(async ({ config, isBaseline }) => `${await digestOf(canonical(config))} ${isBaseline}`),
  );
  const listed = study.runs.map(({ config_digest, is_baseline }) => `${config_digest} ${is_baseline}`);
  const known = new Set(planned);
  const other = study.runs[listed.findIndex((each) => !known.has(each))];
  if (other) return { why: "unplanned_run", facts: [other.name], field: `runs ${other.id}` };
  const isWhole = planned.sort().join() === listed.sort().join();
  return isWhole ? null : { why: "unplanned_runs", field: "runs" };
}

/** Every configuration of a design; null where its parts have other forms, or there are too many. */
async function cellsOf(design: Design, windows: Windows): Promise<Cell[] | null> {
  const { config, axes, noise } = design;
  const { model, options } = config;
  if (!v.is(values, model) || !v.is(values, options)) return null;
  const models = axes.model.length > 0 ? axes.model : [model];
  const own = models.filter(({ provider }) => provider !== "outside");
  const systems = models.filter(({ provider }) => provider === "outside");
  if (!hasWindowsOf(design, models, windows)) return null;
  const policies = policiesOf(design);
  const retrievers = axes.retriever ?? [config.retriever ?? DENSE];
  const lengths = [own, axes.prompt, axes.temperature, retrievers, axes.embedding, axes.chunking, policies];
  const size = lengths.reduce((product, { length }, place) => product * (place ? length || 1 : length), 1);
  if (size * axes.repeat + systems.length * axes.repeat > MOST_RUNS) return null;
  const repeats = Array.from({ length: axes.repeat }, (_, place) => place + 1);
  const again = (repeat: number) => repeated(design, options, repeat);

  const varied = new Variation(config)
    .by(own, (each) => ({ model: each, options: { ...options, ...windowOf(design, own, each, windows) } }))
    .by(await collectionsOf(design), (collection) => ({ collection }))
    .by(axes.prompt.length > 0 ? axes.prompt : [config.prompt ?? null], (prompt) => ({ prompt }))
    .by(
      axes.temperature.length > 0 ? axes.temperature : [options.temperature ?? null],
      (temperature, of) => ({
        options: { ...(of.options as Values), temperature },
      }),
    )
    .by(repeats, (repeat, of) => {
      const { seed, ...rest } = again(repeat);
      return { ...rest, options: { ...(of.options as Values), seed } };
    })
    .by(retrievers, (retriever) => ({ retriever }))
    .by(policies, ([retrieval]) => ({ retrieval }));
  const cells = varied.configs.map((each, place) => ({
    config: withoutUsual(each),
    isBaseline: policies[place % policies.length]?.[1] === true,
  }));
  const noisy = cells.filter((each) => noise && each.isBaseline && each.config.repeat === axes.repeat);
  for (const { config: asked } of noisy) {
    cells.push({ config: { ...asked, repeat: axes.repeat + 1 }, isBaseline: true });
  }
  return [...cells, ...outside(design, systems, options, own.length === 0)];
}

/** All combinations of values, the last axis moving fastest. */
class Variation {
  readonly configs: readonly Values[];

  constructor(...configs: Values[]) {
    this.configs = configs;
  }

  by<T>(axis: readonly T[], change: (value: T, of: Values) => Values): Variation {
    return new Variation(
      ...this.configs.flatMap((of) => axis.map((value) => ({ ...of, ...change(value, of) }))),
    );
  }
}

/** Retrieval settings and whether each is the baseline, which comes first. */
function policiesOf({ config, axes, baseline, max_k, k_increment }: Design): [Json, boolean][] {
  const varied: Json[] = [
    ...axes.k.map((k) => ({ mode: "normal", k })),
    ...axes.min_similarity.map((min_similarity) => ({ mode: "score", min_similarity, max_k, k_increment })),
    ...axes.retrieval,
  ];
  const others = varied.filter((each) => canonical(each) !== canonical(baseline));
  if (baseline) return [[baseline, true], ...others.map((each): [Json, boolean] => [each, false])];
  const asked = others.length > 0 ? others : [config.retrieval ?? null];
  return asked.map((each) => [each, false]);
}

/** A system of others is one configuration, which no other axis reaches; alone, the first is the baseline. */
function outside(design: Design, systems: Values[], options: Values, isAlone: boolean): Cell[] {
  const own = { collection: NOTHING, prompt: NOTHING, retriever: DENSE, retrieval: { mode: "none" } };
  return systems.flatMap((model, place) =>
    Array.from({ length: design.axes.repeat }, (_, at) => {
      const { seed, ...rest } = repeated(design, options, at + 1);
      const config = { ...design.config, ...own, ...rest, model, options: { ...options, seed } };
      return {
        config: withoutUsual(config),
        isBaseline: place === 0 && isAlone && design.baseline !== null,
      };
    }),
  );
}

/** Repetitions have seeds of their own where the design says so. */
function repeated({ axes, repeat_seeds }: Design, { seed }: Values, repeat: number) {
  const hasOwn = repeat_seeds === true && axes.repeat > 1;
  return {
    repeat,
    has_own_seed: hasOwn,
    seed: hasOwn ? (Number(seed) + repeat - 1) % SEEDS : (seed ?? null),
  };
}

/** Whether each window is of a model that is compared, and no model has more than one. */
function hasWindowsOf(design: Design, models: Values[], windows: Windows): boolean {
  const asked = models.map((model) => canonical(model));
  const named = (design.windows ?? []).map(({ model }) => canonical(model));
  return named.every((each) => {
    const most = windows === "one each" ? asked.filter((other) => other === each).length : 1;
    return asked.includes(each) && named.filter((other) => other === each).length <= most;
  });
}

function windowOf(design: Design, models: Values[], model: Values, windows: Windows): { num_ctx?: number } {
  const isLike = (other: Values) => canonical(other) === canonical(model);
  const place = windows === "one each" ? models.filter(isLike).indexOf(model) : 0;
  const own = design.windows?.filter((each) => isLike(each.model))[place];
  return own ? { num_ctx: own.num_ctx } : {};
}

/** A configuration leaves these out where they are as usual. */
function withoutUsual({ retriever, has_own_seed, ...rest }: Values): Values {
  return {
    ...rest,
    ...(canonical(retriever) === canonical(DENSE) ? {} : { retriever: retriever as Json }),
    ...(has_own_seed ? { has_own_seed } : {}),
  };
}

/** Names of the collections: one for each combination of embedding model and chunking. */
async function collectionsOf({ config, axes }: Design): Promise<Json[]> {
  const { collection = null } = config;
  const embeddings = axes.embedding.length > 1 ? axes.embedding.map(embeddingPart) : [null];
  const chunkings = axes.chunking.length > 1 ? axes.chunking.map(chunkingPart) : [null];
  const names = embeddings.flatMap((embedding) =>
    chunkings.map((cut) => {
      const parts = [embedding, cut].filter((part) => part !== null);
      return parts.length > 0 ? fitted([collection, ...parts].join("-")) : collection;
    }),
  );
  return Promise.all(names);
}

function embeddingPart(name: string): string {
  return name
    .replaceAll(/[^a-zA-Z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .toLowerCase();
}

function chunkingPart({ chunk_size, chunk_overlap, unit }: Design["axes"]["chunking"][number]): string {
  return `${chunk_size}-${chunk_overlap}${unit === "tokens" ? "t" : ""}`;
}

/** A name longer than a collection's may be ends in eight digits of its digest. */
async function fitted(name: string): Promise<string> {
  const letters = [...name];
  if (letters.length <= LONGEST_COLLECTION_NAME) return name;
  const kept = letters
    .slice(0, LONGEST_COLLECTION_NAME - 9)
    .join("")
    .replace(/[._-]+$/, "");
  return `${kept}-${(await digestOf(canonical(name))).slice(0, 8)}`;
}
