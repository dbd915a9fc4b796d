/** The runs that a design plans: docs/study.md. */
import { digestOf } from "../bytes";
import { canonical, type Json } from "../canonical";
import type { Violation } from "../steps";
import { otherwise } from "../verdict-check";
import { type Design, readDesign, type Values } from "./design-form";
import type { StudyDocument } from "./form";

const SEEDS = 2 ** 31;
const MOST_RUNS = 10_000;
const LONGEST_COLLECTION_NAME = 63;
const NOTHING = "-";
const DENSE = { form: "dense" };

interface Cell {
  config: Values;
  isBaseline: boolean;
}

/** In what the design does not plan the runs of study.json, in any order and those that are left out included. */
export async function planProblem(study: StudyDocument): Promise<Violation | null> {
  // A design that is not the one of its digest plans nothing: the step before has named it.
  if ((await digestOf(canonical(study.design))) !== study.design_digest)
    return { why: "no_design", field: "design" };
  const problem = await problemOf(study, "of all alike");
  // A study does not name connections. Models that differed in nothing else may have had windows of their own.
  return problem && (await problemOf(study, "one each")) && problem;
}

/** Whether the window of a model is that of all models like it, or equal models take one window after the other. */
type Windows = "of all alike" | "one each";

async function problemOf(study: StudyDocument, windows: Windows): Promise<Violation | null> {
  const design = readDesign(study.design);
  const cells = design && (await cellsOf(design, windows));
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

/** Every configuration of a design; null where two combinations have one collection, or there are too many. */
async function cellsOf(design: Design, windows: Windows): Promise<Cell[] | null> {
  const { config, axes, noise } = design;
  const [model, options] = [config.model as Values, config.options as Values];
  const models = axes.model.length > 0 ? axes.model : [model];
  const own = models.filter(({ provider }) => provider !== "outside");
  const systems = models.filter(({ provider }) => provider === "outside");
  if (!hasWindowsOf(design, models, windows)) return null;
  const policies = policiesOf(design);
  const retrievers = axes.retriever ?? [config.retriever ?? DENSE];
  const lengths = [own, axes.prompt, axes.temperature, retrievers, axes.embedding, axes.chunking, policies];
  const size = lengths.reduce((product, { length }, place) => product * (place ? length || 1 : length), 1);
  if (size * axes.repeat + systems.length * axes.repeat > MOST_RUNS) return null;
  const collections = await collectionsOf(design);
  if (new Set(collections).size < collections.length) return null;
  const repeats = Array.from({ length: axes.repeat }, (_, place) => place + 1);
  const again = (repeat: number) => repeated(design, options, repeat);

  const varied = new Variation(config)
    .by(own, (each) => ({ model: each, options: { ...options, ...windowOf(design, own, each, windows) } }))
    .by(collections, (collection) => ({ collection }))
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

/** An external system is one configuration, which no other axis reaches; alone, the first is the baseline. */
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
