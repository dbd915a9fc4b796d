/** Gains, outcomes and verdicts from the values of verdict.json: docs/bundle.md, "verdict.json". */
import type { Pause } from "./members";
import { finite, type RatedGain, ratedGains } from "./rated-gains";
import {
  type ClusterSums,
  clusterSums,
  FEWEST_CHANGED,
  type Moments,
  type MostFrequent,
  momentsOf,
  oneAmountOf,
  simultaneous,
} from "./simultaneous";
import { lookedAt, secondLook } from "./two-looks";
import {
  type Conclusion,
  type Configuration,
  type Gain,
  OLD_RANK,
  type Rule,
  type VerdictDocument,
  WITH_ONE_AMOUNT,
} from "./verdict-form";
import type { Ratings } from "./verdict-ratings";

/** Weights of stability and of the penalty in T-CPS. */
const STABILITY = 0.1;
const PENALTY = 0.05;
const RANK_DECIMALS = 1e12;
/** Standard normal quantiles at .8 and .975. */
const POWER_QUANTILE = 0.8416212335729143;
const SINGLE_CRITICAL = 1.96;

type Values = (number | null)[];

function differencesOf({ configurations, look }: VerdictDocument, here: Configuration): Values {
  const base = configurations[here.baseline ?? 0];
  return here.values.map((value, question) => {
    const other = base?.values[question] ?? null;
    // An unplanned second look tests the new questions alone.
    const isSpent = look && !look.is_planned && look.in_first[question];
    return value === null || other === null || isSpent ? null : value - other;
  });
}

function reasonOf({ error, clusters, changed }: Moments, oneAmount: MostFrequent | null): Gain["reason"] {
  if (clusters < 2) return "too_few";
  if (changed === 0) return "identical";
  if (changed < FEWEST_CHANGED) return "few_changed";
  if (!error) return "no_spread";
  return oneAmount && "one_amount";
}

export function outcomeOf(low: number, high: number, margin: number): Gain["outcome"] {
  if (low > 0) return "better";
  if (high < 0) return "worse";
  return low > -margin ? "as_good" : "undecided";
}

/** Both members, so that a document that states them without the reason differs. */
function stated(most: MostFrequent | null): Pick<Gain, "alike" | "amount"> {
  return { alike: most?.alike, amount: most?.amount };
}

/** Equally weighted pairs that are as informative: (sum w)^2 / sum w^2. */
function effectivePairs(
  paired: readonly number[],
  weights?: readonly number[],
): { effective_pairs?: number } {
  if (!weights || paired.length === 0) return {};
  const own = paired.map((question) => weights[question] ?? 0);
  const total = own.reduce((sum, weight) => sum + weight, 0);
  return { effective_pairs: total ** 2 / own.reduce((sum, weight) => sum + weight ** 2, 0) };
}

/** Gains of all configurations with a baseline, as one family; by position of the configuration. */
export async function gainsOf(document: VerdictDocument, pause: Pause): Promise<Map<number, Gain>> {
  if (document.judged?.ratings) return gainsByRatings(document, document.judged.ratings, pause);
  const clusters = document.clusters ?? document.questions.map((_, number) => number);
  const found = document.configurations.flatMap((here, place) => {
    if (here.baseline === null) return [];
    const differences = differencesOf(document, here);
    const sums = clusterSums(differences, clusters, document.weights);
    const paired = differences.flatMap((value, question) => (value === null ? [] : [question]));
    const worth = { pairs: paired.length, ...effectivePairs(paired, document.weights) };
    const moments = momentsOf(sums);
    const oneAmount = document.format === WITH_ONE_AMOUNT ? oneAmountOf(sums) : null;
    const reason = reasonOf(moments, oneAmount);
    const most = reason === "one_amount" ? oneAmount : null;
    return [{ place, sums, worth: { ...worth, ...stated(most) }, moments, reason }];
  });
  const members = found.filter(({ reason }) => reason === null);
  const family = members.map(({ sums }): ClusterSums => sums);
  const { look, rule } = document;
  const looked = look?.is_planned ? lookedAt(look.in_first, clusters, look.share) : null;
  const judged = looked
    ? await secondLook(family, looked, rule, pause)
    : await simultaneous(family, { ...rule, hasOldRank: OLD_RANK.includes(document.format) }, pause);
  const gains = found.map(({ place, worth, moments, reason }): [number, Gain] => {
    const member = members.findIndex((each) => each.place === place);
    const [low, high] = [judged.low[member] ?? 0, judged.high[member] ?? 0];
    const judgement: Pick<Gain, "low" | "high" | "p" | "outcome"> =
      reason === null
        ? {
            low: finite(low),
            high: finite(high),
            p: judged.p[member] ?? null,
            outcome: outcomeOf(low, high, rule.margin),
          }
        : { low: null, high: null, p: null, outcome: reason === "identical" ? "identical" : "undecided" };
    const { gain, error, clusters: size, changed } = moments;
    return [place, { gain, standard_error: error, ...judgement, reason, ...worth, clusters: size, changed }];
  });
  return new Map(gains);
}

async function gainsByRatings(
  document: VerdictDocument,
  ratings: Ratings,
  pause: Pause,
): Promise<Map<number, Gain>> {
  const compared = document.configurations.flatMap((here, place) =>
    here.baseline === null
      ? []
      : [{ place, base: here.baseline, differences: differencesOf(document, here) }],
  );
  const found = await ratedGains(document, ratings, compared, pause);
  const outcome = ({ low, high, p }: RatedGain): Gain["outcome"] =>
    p === null
      ? "undecided"
      : outcomeOf(low ?? Number.NEGATIVE_INFINITY, high ?? Number.POSITIVE_INFINITY, document.rule.margin);
  return new Map(
    found.map((gain, number) => [compared[number]?.place ?? -1, { ...gain, outcome: outcome(gain) }]),
  );
}

interface Candidate {
  here: Configuration;
  base: Configuration;
  gain: Gain;
  weights: readonly number[] | undefined;
}

export interface Weighted {
  value: number;
  weight: number;
}

function savedBy({ here, base }: Candidate): number | null {
  return here.cost === null || !base.cost ? null : 1 - here.cost / base.cost;
}

function tcpsOf({ here, base, weights }: Candidate): number | null {
  return tcps(
    here.values.flatMap((value, question) =>
      value === null || base.values[question] === null
        ? []
        : [{ value, weight: weights ? (weights[question] ?? 0) : 1 }],
    ),
  );
}

/** T-CPS of some values; null with fewer than two, or where their mean is not positive. */
export function tcps(values: readonly Weighted[]): number | null {
  if (values.length < 2) return null;
  const sum = (of: (each: Weighted) => number) => values.reduce((all, each) => all + of(each), 0);
  const total = sum(({ weight }) => weight);
  const mean = sum(({ value, weight }) => weight * value) / total;
  if (mean <= 0) return null;
  const squares = sum(({ value, weight }) => weight * (value - mean) ** 2);
  // With equal weights the divisor is n - 1.
  const cv = Math.sqrt(squares / (total - sum(({ weight }) => weight ** 2) / total)) / mean;
  return mean * (1 + STABILITY * (1 - cv)) - PENALTY * cv * cv;
}

/** The first with the highest rank: numbers compared one after the other. */
function best(candidates: readonly Candidate[], rank: (each: Candidate) => number[]): Candidate | undefined {
  return candidates.reduce<Candidate | undefined>((first, each) => {
    if (!first) return each;
    const [one, other] = [rank(first), rank(each)];
    const at = one.findIndex((value, place) => value !== other[place]);
    return at >= 0 && (other[at] as number) > (one[at] as number) ? each : first;
  }, undefined);
}

function missingOf(
  candidates: readonly Candidate[],
  bases: readonly Configuration[],
  rule: Rule,
  isBiased: boolean,
): Conclusion["missing"] {
  if (bases.length === 0) return ["no_baseline"];
  const sum = (name: "planned" | "failed" | "open") => bases.reduce((all, base) => all + base[name], 0);
  const shares = candidates.map(({ here }) => [here.failed + here.open, here.planned] as const);
  const isMissing = [[sum("failed"), sum("planned")] as const, ...shares].some(
    ([missing, planned]) => missing > rule.most_missing * planned,
  );
  const pairs = Math.min(...candidates.map(({ gain }) => gain.effective_pairs ?? gain.pairs));
  const clusters = Math.min(...candidates.map(({ gain }) => gain.clusters));
  const isFew = candidates.length === 0 || pairs < rule.fewest_pairs;
  return [
    ...(sum("open") > 0 ? (["baseline_unfinished"] as const) : []),
    ...(isMissing ? (["failed_or_open"] as const) : []),
    ...(isFew ? (["too_few_pairs"] as const) : []),
    ...(!isFew && clusters < rule.fewest_clusters ? (["too_few_clusters"] as const) : []),
    ...(isBiased ? (["judge_bias"] as const) : []),
  ];
}

function outlookOf(undecided: readonly Candidate[], rule: Rule) {
  const spread = undecided.filter(({ gain }) => gain.standard_error);
  const widest = best(spread, ({ gain }) => [gain.standard_error ?? 0])?.gain;
  if (!widest) return { detectable: null, questions_needed: null };
  const error = widest.standard_error ?? 0;
  const critical =
    widest.low === null || widest.gain === null ? SINGLE_CRITICAL : (widest.gain - widest.low) / error;
  const deviation = error * Math.sqrt(widest.clusters);
  const needed = Math.ceil(((critical + POWER_QUANTILE) / rule.margin) ** 2 * deviation ** 2);
  return {
    detectable: ((critical + POWER_QUANTILE) * deviation) / Math.sqrt(widest.clusters),
    questions_needed: Math.ceil(needed * (widest.pairs / widest.clusters)),
  };
}

export type Verdict = Omit<Conclusion, "model" | "corrected" | "cost">;

/**
 * The verdict of one model's configurations; the gain corrected for having been chosen is not among it. `isBiased`: people
 * found that the judge's bias differs between configurations.
 */
export function verdictOf(
  candidates: readonly Candidate[],
  bases: readonly Configuration[],
  rule: Rule,
  isBiased = false,
): Verdict {
  const named = (outcome: Gain["outcome"]) =>
    candidates.filter(({ gain }) => gain.outcome === outcome).map(({ here }) => here.name);
  const nothing = { missing: [], recommended: null, detectable: null, questions_needed: null, saved: null };
  const missing = missingOf(candidates, bases, rule, isBiased);
  if (missing.length > 0) {
    const groups = { better: [], as_good: [], worse: [], undecided: [] };
    return { ...nothing, ...groups, kind: "no_verdict", missing };
  }
  const groups = {
    better: named("better"),
    as_good: named("as_good"),
    worse: named("worse"),
    undecided: named("undecided"),
  };
  const of = (outcome: Gain["outcome"]) => candidates.filter(({ gain }) => gain.outcome === outcome);
  const chosen = best(of("better"), (each) => [rankOf(each, rule), -(each.here.cost ?? 0)]);
  if (chosen) return { ...nothing, ...groups, kind: "better", recommended: chosen.here.name };
  const cheap = of("as_good").filter((each) => (savedBy(each) ?? 0) + 1e-12 >= rule.saving);
  const cheapest = best(cheap, ({ here, gain }) => [-(here.cost ?? 0), gain.gain ?? 0]);
  if (cheapest) {
    const more = { recommended: cheapest.here.name, saved: savedBy(cheapest) };
    return { ...nothing, ...groups, ...more, kind: "as_good_cheaper" };
  }
  const undecided = of("undecided");
  if (undecided.length > 0) {
    return { ...nothing, ...groups, ...outlookOf(undecided, rule), kind: "cannot_tell" };
  }
  return { ...nothing, ...groups, kind: "keep_baseline" };
}

function rankOf(each: Candidate, rule: Rule): number {
  const value = rule.primary === "CPS" ? tcpsOf(each) : each.gain.gain;
  return ranked(value);
}

/** A value by which configurations are ordered: without the rounding of a mean, lowest where there is none. */
export function ranked(value: number | null): number {
  return value === null ? Number.NEGATIVE_INFINITY : Math.round(value * RANK_DECIMALS) / RANK_DECIMALS;
}

/** Candidates and baselines of some configurations. */
export function comparedOf(
  document: VerdictDocument,
  members: readonly number[],
  gains: ReadonlyMap<number, Gain>,
): { candidates: Candidate[]; bases: Configuration[] } {
  const all = document.configurations;
  const candidates = members.flatMap((place) => {
    const [here, gain] = [all[place], gains.get(place)];
    const base = all[here?.baseline ?? -1];
    return here && gain && base ? [{ here, base, gain, weights: document.weights }] : [];
  });
  const used = [...new Set(candidates.map(({ base }) => base))];
  const declared = members.flatMap((place) => (all[place]?.is_baseline ? [all[place] as Configuration] : []));
  return { candidates, bases: used.length > 0 ? used : declared };
}
