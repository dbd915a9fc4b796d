/** Gains and means of a judged column that ratings of people correct (PPI++): docs/bundle.md, "Ratings of people". */
import { lambdasOf, meanOf } from "./lambdas";
import type { Pause } from "./members";
import {
  bounded,
  type ClusterSums,
  clusterSums,
  extremesOfDraws,
  FEWEST_CHANGED,
  type MostFrequent,
  momentsOf,
  oneAmountOf,
  resampledOf,
  type Simultaneous,
  shiftOf,
  statisticOf,
} from "./simultaneous";
import { drawnIndices } from "./splitmix";
import { type Rule, type VerdictDocument, WITH_ONE_AMOUNT } from "./verdict-form";
import type { Ratings } from "./verdict-ratings";

const FEWEST = 20;
/** Keeps the draws of rated and other questions apart. */
const OTHER_STREAM = 0x1abe15n;

type Values = (number | null)[];

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
  reason: "too_few" | "few_changed" | "one_amount" | null;
  pairs: number;
  clusters: number;
  changed: number;
  /** Both only with `one_amount`. */
  alike: number | undefined;
  amount: number | undefined;
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
  const { rule } = document;
  const { labels, parts, sums } = labelledOf(document, ratings);
  const differences = compared.map(({ place, base, differences: judged }): Part => {
    const people = judged.map((_, at) => difference(labels[place]?.[at], labels[base]?.[at]));
    return parts(judged, people);
  });
  const [rated, others] = [sums(differences, "rated"), sums(differences, "others")];
  const found = differences.map((part, number) =>
    gainOf(
      part,
      rated[number] as ClusterSums,
      others[number] as ClusterSums,
      document.format === WITH_ONE_AMOUNT,
    ),
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

/** Means of all configurations by the same estimator, of values in place of differences. */
export function ratedMeans(document: VerdictDocument, ratings: Ratings): Ratings["means"] {
  const { labels, parts, sums } = labelledOf(document, ratings);
  const values = document.configurations.map((own, place) => parts(own.values, labels[place] ?? []));
  const [rated, others] = [sums(values, "rated"), sums(values, "others")];
  return values.map((part, number) => {
    const labelled = countOf(part.rated);
    const found = gainOf(part, rated[number] as ClusterSums, others[number] as ClusterSums);
    const isKnown = labelled >= FEWEST;
    return {
      value: isKnown ? found.gain : null,
      standard_error: isKnown ? found.standard_error : null,
      rated: labelled,
      others: countOf(part.others),
    };
  });
}

/** Mean ratings of each configuration, and what makes parts of them and of the judge's values. */
function labelledOf(document: VerdictDocument, ratings: Ratings) {
  const { questions, judged } = document;
  const clusters = document.clusters ?? questions.map((_, number) => number);
  const asked = new Map((judged?.questions ?? []).map((id, place) => [id, place]));
  const draw = drawOf(ratings);
  const own = questions.map((id) => draw(asked.get(id) ?? -1));
  const weights = own.map(({ weight }, place) => weight * (document.weights?.[place] ?? 1));
  return {
    labels: labelsOf(document, ratings, asked),
    parts: (values: Values, people: Values): Part => correctedOf(values, people, own, ratings.seed),
    sums: (all: readonly Part[], name: keyof Part) =>
      withoutEmpty(all.map((part) => clusterSums(part[name], clusters, weights))),
  };
}

function countOf(values: Values): number {
  return values.filter((value) => value !== null).length;
}

export function finite(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}

function intervalOf({ low, high, p }: Simultaneous, member: number): Pick<RatedGain, "low" | "high" | "p"> {
  return { low: finite(low[member]), high: finite(high[member]), p: p[member] ?? null };
}

/** `knowsAmounts`: one amount in most clusters is a reason. */
function gainOf(part: Part, rated: ClusterSums, others: ClusterSums, knowsAmounts = false): RatedGain {
  const [own, rest] = [momentsOf(rated), momentsOf(others)];
  const labelled = countOf(part.rated);
  const error = own.error === null ? null : Math.hypot(own.error, rest.error ?? 0);
  const most = knowsAmounts ? oneAmountOf(rated) : null;
  const known = { changed: own.changed, hasSpread: !!error, most, knowsAmounts };
  const reason = labelled < FEWEST ? "too_few" : reasonOf(known);
  const stated = reason === "one_amount" ? most : null;
  return {
    gain: labelled > 1 ? (own.gain ?? 0) + (rest.gain ?? 0) : null,
    standard_error: error,
    ...{ low: null, high: null, p: null },
    reason,
    pairs: labelled + countOf(part.others),
    clusters: own.clusters,
    changed: own.changed,
    ...{ alike: stated?.alike, amount: stated?.amount },
  };
}

interface Known {
  changed: number;
  hasSpread: boolean;
  most: MostFrequent | null;
  knowsAmounts: boolean;
}

function reasonOf({ changed, hasSpread, most, knowsAmounts }: Known): RatedGain["reason"] {
  if (changed < FEWEST_CHANGED) return "few_changed";
  if (!knowsAmounts) return hasSpread ? null : "few_changed";
  return most || !hasSpread ? "one_amount" : null;
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
