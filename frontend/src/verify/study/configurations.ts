/** The configurations of a study's verdict: their runs, baselines, counts and costs. */
import { canonical, type Json } from "../canonical";
import type { Manifest } from "../forms";
import type { Violation } from "../steps";
import { otherwise } from "../verdict-check";
import type { Configuration, VerdictDocument } from "../verdict-form";
import { isClose } from "./close";
import type { StudyRun } from "./form";
import { type Named, otherLabel } from "./labels";
import type { Item, RunFacts } from "./runs";
import type { Given } from "./verdict";

const SEEDS = 2 ** 31;

interface Keys {
  /** The same for the repetitions of one configuration. */
  own: string;
  /** The same for a configuration and its baseline: everything except retrieval. */
  arm: string;
}

/** The keys of a run; `alike` is its number among runs of the same configuration digest. */
function keysOf({ config }: Manifest, alike: number): Keys {
  const { repeat, retrieval, options, ...rest } = config;
  const { seed, ...decoding } = options as Record<string, Json>;
  const isOwn = config.has_own_seed === true;
  const first = isOwn ? (Number(seed) - Number(repeat) + 1 + SEEDS) % SEEDS : Number(seed);
  const arm = canonical([rest, decoding, first, alike]);
  return { own: canonical([arm, retrieval]), arm };
}

/**
 * The keys of each run. A study does not name connections. If models differ in nothing else, the order of their runs
 * distinguishes them. If the verdict joins such runs into one configuration, the runs are repetitions of one model.
 */
function keysOfRuns({ study, groups }: Given): (facts: RunFacts) => Keys {
  const kindOf = ({ config_digest, is_baseline }: StudyRun) => `${config_digest} ${is_baseline}`;
  const isJoined = groups.some((runs) => new Set(runs.map(({ run }) => kindOf(run))).size < runs.length);
  const seen = new Map<string, number>();
  const numbers = new Map<string, number>();
  for (const run of study.runs) {
    const number = seen.get(kindOf(run)) ?? 0;
    seen.set(kindOf(run), number + 1);
    numbers.set(run.id, isJoined ? 0 : number);
  }
  return ({ run, manifest }) => keysOf(manifest, numbers.get(run.id) ?? 0);
}

/** The first configuration that is not one of the runs as planned. */
export function configurationsWrong(given: Given): Violation | null {
  const { document, groups } = given;
  const keysOfRun = keysOfRuns(given);
  const keys = groups.map((runs) => keysOfRun(runs[0] as RunFacts));
  const told = keys.map(({ own }, place) => `${own} ${document.configurations[place]?.is_baseline}`);
  if (new Set(told).size !== told.length) return otherwise("configurations");
  const relabelled = otherLabel(given.study, keys.map(namedOf(given)));
  if (relabelled >= 0) return otherwise(`configurations[${relabelled}].model`);
  const bases = basesOf(given, keys);
  for (const place of keys.keys()) {
    const name = misnamed(given, place, keysOfRun) ?? miscounted(given, place);
    if (name) return otherwise(`configurations[${place}].${name}`);
    const here = document.configurations[place] as Configuration;
    if (here.baseline !== (bases[place] ?? null)) return otherwise(`configurations[${place}].baseline`);
  }
  return null;
}

function namedOf({ document, groups }: Given): (keys: Keys, place: number) => Named {
  return ({ arm }, place) => {
    const [{ run, manifest }] = groups[place] as [RunFacts];
    const { model: stated } = document.configurations[place] as Configuration;
    return { stated, run: run.name, config: manifest.config, arm };
  };
}

/** Which of its facts are not those of its runs. */
function misnamed(
  { document, groups }: Given,
  place: number,
  keysOfRun: (facts: RunFacts) => Keys,
): string | null {
  const here = document.configurations[place] as Configuration;
  const runs = groups[place] as RunFacts[];
  const { run } = runs[0] as RunFacts;
  const { own } = keysOfRun(runs[0] as RunFacts);
  const isOfOne = (facts: RunFacts, at: number) =>
    keysOfRun(facts).own === own &&
    facts.run.is_baseline === here.is_baseline &&
    facts.runDigest === here.runs[at]?.run_digest;
  if (here.name !== run.name) return "name";
  return runs.every(isOfOne) ? null : "runs";
}

function miscounted({ study, document, groups }: Given, place: number): string | null {
  const here = document.configurations[place] as Configuration;
  const runs = groups[place] as RunFacts[];
  const states = runs.flatMap(({ items }) => items.map(({ state }) => state));
  const count = (state: string) => states.filter((each) => each === state).length;
  const planned = study.sheets ? states.length : runs.length * study.dataset.questions;
  if (here.planned !== planned) return "planned";
  if (here.failed !== count("failed")) return "failed";
  return here.open === planned - count("failed") - count("scored") ? null : "open";
}

/** The baseline of each configuration. Once, one was not compared that had no answer, or whose baseline had none. */
function basesOf(given: Given, keys: Keys[]): (number | null)[] {
  const { usable, document } = given;
  const bases = document.configurations.map((_, place) => baselineOf(given, keys, place));
  const isEmpty = bases.map(
    (base, place) => base !== null && !(usable[place]?.length && usable[base]?.length),
  );
  const isOld = document.configurations.some(({ baseline }, place) => isEmpty[place] && baseline === null);
  return bases.map((base, place) => (isOld && isEmpty[place] ? null : base));
}

/** The only baseline of the same arm, of an external system the first. */
function baselineOf({ document, groups }: Given, keys: Keys[], place: number): number | null {
  const { configurations } = document;
  const model = groups[place]?.[0]?.manifest.config.model as Record<string, Json> | undefined;
  const isOutside = model?.provider === "outside";
  const all = keys.flatMap(({ arm }, at) =>
    (isOutside || arm === keys[place]?.arm) && configurations[at]?.is_baseline ? [at] : [],
  );
  const bases = isOutside ? all.slice(0, 1) : all;
  const [base] = bases;
  if (base === undefined || bases.length > 1 || configurations[place]?.is_baseline) return null;
  return base;
}

type Measure = VerdictDocument["rule"]["cost"];

/** The first cost that does not follow: by the measure of the rule, else by passages. */
export function costsWrong(given: Given): Violation | null {
  const { configurations, conclusions, rule } = given.document;
  for (const [number, { model, cost: stated }] of conclusions.entries()) {
    const members = configurations.flatMap((each, place) => (each.model === model ? [place] : []));
    const tried = [...new Set<Measure>([rule.cost, "passages"])].map((measure) => ({
      measure,
      costs: members.map((place) => costOf(given, place, measure)),
    }));
    const found = tried.find(({ costs }) => costs.every((cost) => cost !== null) && costs.some(Boolean));
    if (stated !== (found?.measure ?? null)) return otherwise(`conclusions[${number}].cost`);
    const other = members.find(
      (place, at) => !isCost(configurations[place]?.cost ?? null, found?.costs[at] ?? null),
    );
    if (other !== undefined) return otherwise(`configurations[${other}].cost`);
  }
  return null;
}

function isCost(stated: number | null, follows: number | null): boolean {
  return stated === null || follows === null ? stated === follows : isClose(stated, follows);
}

/** Mean cost of a scored question; a question that asked no model costs nothing, null where it is unknown. */
function costOf({ study, groups, document }: Given, place: number, measure: Measure): number | null {
  const { weights } = study.dataset;
  const { price } = document.rule;
  let [sum, total] = [0, 0];
  for (const { items } of groups[place] ?? []) {
    for (const [number, item] of items.entries()) {
      if (item.state !== "scored") continue;
      const cost = costOfItem(item, measure, price);
      if (cost === null) return null;
      const weight = weights?.[number] ?? 1;
      sum += weight * cost;
      total += weight;
    }
  }
  return total > 0 ? sum / total : null;
}

function costOfItem(
  { passages, prompt, seconds, tokens, made }: Item,
  measure: Measure,
  price: VerdictDocument["rule"]["price"],
): number | null {
  if (measure === "passages") return passages;
  if (prompt === null) return 0;
  if (measure === "seconds") return seconds;
  if (measure === "prompt_tokens") return tokens;
  if (!price || tokens === null || made === null) return null;
  return (tokens * price.input + made * price.output) / 1e6;
}
