/** Gains of a judged column that ratings of people correct (PPI++): docs/bundle.md, "Ratings of people". */
import type { Pause } from "./members";
import {
  bounded,
  type ClusterSums,
  clusterSums,
  extremesOfDraws,
  momentsOf,
  resampledOf,
  type Simultaneous,
  shiftOf,
  statisticOf,
} from "./simultaneous";
import { drawnIndices, upperOutputs } from "./splitmix";
import type { Rule, VerdictDocument } from "./verdict-form";
import type { Ratings } from "./verdict-ratings";

const FEWEST = 20;
const FEWEST_CHANGED = 10;
const FOLDS = 5;
const ROUNDING = 1e-9;
/** Keeps the draws of rated and other questions apart. */
const OTHER_STREAM = 0x1abe15n;

type Values = (number | null)[];

const sumOf = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
const meanOf = (values: readonly number[]) => sumOf(values) / values.length;

/** Differences of one configuration from its baseline. */
export interface Compared {
  /** Positions of both configurations. */
  place: number;
  base: number;
  /** By the judge, of each question of the verdict. */
  differences: Values;
}

/** A gain that ratings correct; without an interval it is not decided. */
export interface RatedGain {
  gain: number | null;
  standard_error: number | null;
  low: number | null;
  high: number | null;
  p: number | null;
  reason: "too_few" | "few_changed" | null;
  pairs: number;
  clusters: number;
  changed: number;
}

/** Rated questions corrected by the judge, and the others by the judge alone: their gains add up. */
interface Part {
  rated: Values;
  others: Values;
}

/** Gains of all configurations with a baseline, as one family, in order. */
export async function ratedGains(
  document: VerdictDocument,
  ratings: Ratings,
  compared: readonly Compared[],
  pause: Pause,
): Promise<RatedGain[]> {
  const { questions, rule, judged } = document;
  const clusters = document.clusters ?? questions.map((_, number) => number);
  const asked = new Map((judged?.questions ?? []).map((id, place) => [id, place]));
  const draw = drawOf(ratings);
  const own = questions.map((id) => draw(asked.get(id) ?? -1));
  const weights = own.map(({ weight }, place) => weight * (document.weights?.[place] ?? 1));
  const labels = labelsOf(document, ratings, asked);
  const parts = compared.map(({ place, base, differences }): Part => {
    const people = differences.map((_, at) => difference(labels[place]?.[at], labels[base]?.[at]));
    return correctedOf(differences, people, own, ratings.seed);
  });
  const sums = (name: keyof Part) =>
    withoutEmpty(parts.map((part) => clusterSums(part[name], clusters, weights)));
  const [rated, others] = [sums("rated"), sums("others")];
  const found = parts.map((part, number) =>
    gainOf(part, rated[number] as ClusterSums, others[number] as ClusterSums),
  );
  const members = found.flatMap(({ reason }, number) => (reason === null ? [number] : []));
  const family = { rated, others, errors: found.map(({ standard_error }) => standard_error ?? 0) };
  const bounds = bounded(
    members.map((number) => ({ gain: found[number]?.gain ?? 0, error: found[number]?.standard_error ?? 0 })),
    await extremesOfParts(family, members, rule, pause),
    { alpha: rule.alpha, isEnumerated: false },
  );
  return found.map((gain, number) => ({ ...gain, ...intervalOf(bounds, members.indexOf(number)) }));
}

function intervalOf({ low, high, p }: Simultaneous, member: number): Pick<RatedGain, "low" | "high" | "p"> {
  const finite = (value: number | undefined) =>
    value !== undefined && Number.isFinite(value) ? value : null;
  return { low: finite(low[member]), high: finite(high[member]), p: p[member] ?? null };
}

function gainOf(part: Part, rated: ClusterSums, others: ClusterSums): RatedGain {
  const count = (values: Values) => values.filter((value) => value !== null).length;
  const [own, rest] = [momentsOf(rated), momentsOf(others)];
  const labelled = count(part.rated);
  const error = own.error === null ? null : Math.hypot(own.error, rest.error ?? 0);
  const isFew = own.changed < FEWEST_CHANGED || !error;
  return {
    gain: labelled > 1 ? (own.gain ?? 0) + (rest.gain ?? 0) : null,
    standard_error: error,
    ...{ low: null, high: null, p: null },
    reason: labelled < FEWEST ? "too_few" : isFew ? "few_changed" : null,
    pairs: labelled + count(part.others),
    clusters: own.clusters,
    changed: own.changed,
  };
}

interface Drawn {
  isDrawn: boolean;
  isOther: boolean;
  weight: number;
}

/** Of each question whether it was drawn, or could have been, and how many questions it counts for. */
function drawOf({ drawn, others }: Ratings): (question: number) => Drawn {
  const chosen = new Map(drawn.map(({ question, inclusion }) => [question, inclusion]));
  const rest = new Map(others.map(({ question, inclusion }) => [question, inclusion]));
  return (question) => {
    const [inclusion, other] = [chosen.get(question), rest.get(question)];
    const share = inclusion ?? (other === undefined ? 0 : 1 - other);
    return {
      isDrawn: inclusion !== undefined,
      isOther: other !== undefined,
      weight: share > 0 ? 1 / share : 1,
    };
  };
}

/** The mean rating of each question by configuration: of the raters of a run, then of the runs. */
function labelsOf(
  { configurations, questions }: VerdictDocument,
  { runs }: Ratings,
  asked: ReadonlyMap<string, number>,
): Values[] {
  const ofRuns = new Map(runs.map(({ id, ratings }) => [id, byQuestion(ratings)]));
  return configurations.map(({ runs: own }) =>
    questions.map((id) => {
      const given = own.flatMap((run) => {
        const rated = ofRuns.get(run.id)?.get(asked.get(id) ?? -1);
        return rated ? [meanOf(rated)] : [];
      });
      return given.length > 0 ? meanOf(given) : null;
    }),
  );
}

function byQuestion(ratings: Ratings["runs"][number]["ratings"]): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const { question, value } of ratings) found.set(question, [...(found.get(question) ?? []), value]);
  return found;
}

function difference(one: number | null | undefined, other: number | null | undefined): number | null {
  return one == null || other == null ? null : one - other;
}

/** dY - lambda df of rated questions and lambda df' of the others. */
function correctedOf(judged: Values, people: Values, own: readonly Drawn[], seed: number): Part {
  const rated = judged.flatMap((value, place) => {
    const label = people[place] ?? null;
    return own[place]?.isDrawn && value !== null && label !== null ? [{ place, value, label }] : [];
  });
  const rest = judged.flatMap((value, place) =>
    own[place]?.isOther && value !== null ? [{ place, value }] : [],
  );
  const lambda = lambdasOf(
    rated,
    rest.map(({ value }) => value),
    seed,
  );
  const part: Part = { rated: judged.map(() => null), others: judged.map(() => null) };
  for (const [number, { place, value, label }] of rated.entries()) {
    part.rated[place] = label - (lambda[number] ?? 0) * value;
  }
  const ofOthers = lambda.length > 0 ? meanOf(lambda) : 0;
  for (const { place, value } of rest) part.others[place] = ofOthers * value;
  return part;
}

interface Pair {
  label: number;
  value: number;
}

/** Lambda of each rated question, estimated on the other folds; 0 where the judge adds nothing to the ratings. */
function lambdasOf(rated: readonly Pair[], others: readonly number[], seed: number): number[] {
  if (others.length === 0 || !helps(rated)) return rated.map(() => 0);
  const upper = upperOutputs(seed, 0, rated.length);
  const order = rated.map((_, place) => place).sort((a, b) => (upper[a] ?? 0) - (upper[b] ?? 0) || a - b);
  const folds: number[] = [];
  for (const [rank, place] of order.entries()) folds[place] = rank % FOLDS;
  const ofFold = Array.from({ length: FOLDS }, (_, fold) =>
    lambdaOf(
      rated.filter((_, place) => folds[place] !== fold),
      others,
    ),
  );
  return folds.map((fold) => ofFold[fold] ?? 0);
}

/** Sum of the products of deviations from the means. */
function products(one: readonly number[], other: readonly number[]): number {
  const [first, second] = [meanOf(one), meanOf(other)];
  return sumOf(one.map((value, place) => (value - first) * ((other[place] ?? 0) - second)));
}

/** cov(f, Y) / ((1 + n / N) var(f)), cut to 0 and 1. */
function lambdaOf(rated: readonly Pair[], others: readonly number[]): number {
  const [labels, values] = [rated.map(({ label }) => label), rated.map(({ value }) => value)];
  const all = [...values, ...others];
  const spread = products(all, all) / (all.length - 1);
  if (rated.length < 2 || spread === 0) return 0;
  const covariance = products(values, labels) / (rated.length - 1);
  return Math.min(1, Math.max(0, covariance / ((1 + rated.length / others.length) * spread)));
}

function helps(rated: readonly Pair[]): boolean {
  const [labels, values] = [rated.map(({ label }) => label), rated.map(({ value }) => value)];
  const isConstant = (of: readonly number[]) => of.every((value) => value === of[0]);
  if (isConstant(labels) || isConstant(values)) return false;
  const correlation =
    products(values, labels) / Math.sqrt(products(values, values) * products(labels, labels));
  return Math.abs(correlation) >= 1 / Math.sqrt(rated.length - 2) - ROUNDING;
}

/** Clusters in which any configuration has a value. */
function withoutEmpty(all: readonly ClusterSums[]): ClusterSums[] {
  const size = all[0]?.weights.length ?? 0;
  const kept = Array.from({ length: size }, (_, place) => place).filter((place) =>
    all.some(({ weights }) => (weights[place] ?? 0) > 0),
  );
  const pick = (values: Float64Array) => Float64Array.from(kept, (place) => values[place] ?? 0);
  return all.map(({ sums, weights }) => ({ sums: pick(sums), weights: pick(weights) }));
}

/** Rated and other questions are drawn apart, because the draw fixes how many there are of each. */
function extremesOfParts(
  family: { rated: ClusterSums[]; others: ClusterSums[]; errors: number[] },
  members: readonly number[],
  { draws, seed }: Rule,
  pause: Pause,
) {
  const own = family.rated[0]?.sums.length ?? 0;
  const rest = family.others[0]?.sums.length ?? 0;
  const otherSeed = Number(BigInt(seed) ^ OTHER_STREAM);
  const known = members.map((number) => {
    const others = family.others[number] as ClusterSums;
    return {
      rated: resampledOf(family.rated[number] as ClusterSums),
      others: (momentsOf(others).clusters ?? 0) > 1 ? resampledOf(others) : null,
      error: family.errors[number] ?? 0,
    };
  });
  return extremesOfDraws(
    members.length > 0 ? draws : 0,
    (draw) => {
      const [here, there] = [drawnIndices(seed, draw, own), drawnIndices(otherSeed, draw, rest)];
      return known.map(({ rated, others, error }) => {
        const [shift, variance] = shiftOf(rated, here);
        const [more, spread] = others ? shiftOf(others, there) : [0, 0];
        return statisticOf(shift + more, variance + spread, error);
      });
    },
    pause,
  );
}
