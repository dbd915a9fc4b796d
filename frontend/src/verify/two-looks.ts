/** The bound of a planned second look, and the error that its first look spends: docs/bundle.md, "The family". */
import type { Pause } from "./members";
import {
  type Bounds,
  bounded,
  type ClusterSums,
  type Extremes,
  extremesOf,
  momentsOf,
  rankOf,
  type Simultaneous,
} from "./simultaneous";
import { drawnIndices } from "./splitmix";

/** Keeps the draws of the two groups of clusters apart. */
const OTHER_STREAM = 0x5eed0f100cn;
/** Beyond this, the normal distribution is 0 or 1 to the last bit that a rank depends on. */
const FARTHEST = 8;

/** The clusters of the first look, and the share of all planned questions that it had. */
interface LookedAt {
  inFirst: boolean[];
  share: number;
}

/** The normal distribution function, by the series of Marsaglia (2004), whose terms are all positive. */
export function normalShare(z: number): number {
  if (Math.abs(z) > FARTHEST) return z > 0 ? 1 : 0;
  let [sum, term, last] = [z, z, 0];
  for (let step = 3; sum !== last; step += 2) {
    last = sum;
    term *= (z * z) / step;
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}

/** The normal quantile of a share of one half or more: Newton's steps, which never overshoot there. */
export function normalQuantile(share: number): number {
  let [z, step] = [0, 1];
  while (step > 1e-15 * Math.max(1, z)) {
    step = ((share - normalShare(z)) * Math.sqrt(2 * Math.PI)) / Math.exp((-z * z) / 2);
    z += step;
  }
  return z;
}

/** The error that a planned first look spends, both sides together (Lan and DeMets 1983). */
export function spentAlpha(alpha: number, share: number): number {
  return 2 * (1 - normalShare(normalQuantile(1 - alpha / 2) / Math.sqrt(share)));
}

/** Null where one of the two parts has fewer than two clusters; a cluster with a new question is new. */
export function lookedAt(
  inFirst: readonly boolean[],
  clusters: readonly number[],
  share: number,
): LookedAt | null {
  const numbers = [...new Set(clusters)].sort((one, other) => one - other);
  const late = new Set(clusters.filter((_, question) => !inFirst[question]));
  const first = numbers.map((number) => !late.has(number));
  const count = first.filter(Boolean).length;
  return Math.min(count, first.length - count) < 2 ? null : { inFirst: first, share };
}

/** Positions of the clusters of one part. */
function placesOf(inFirst: readonly boolean[], wanted: boolean): number[] {
  return inFirst.flatMap((isFirst, place) => (isFirst === wanted ? [place] : []));
}

/** What the first look knew: its clusters, of the configurations that varied in it. */
function firstOnly(family: readonly ClusterSums[], early: readonly number[]): ClusterSums[] {
  const pick = (values: Float64Array) => Float64Array.from(early, (place) => values[place] ?? 0);
  return family
    .map(({ sums, weights }) => ({ sums: pick(sums), weights: pick(weights) }))
    .filter((member) => (momentsOf(member).error ?? 0) > 0);
}

/** Intervals and adjusted p values of a planned second look; resamples that the first one stopped are beyond its bounds. */
export async function secondLook(
  family: readonly ClusterSums[],
  { inFirst, share }: LookedAt,
  rule: { alpha: number; draws: number; seed: number },
  pause: Pause,
): Promise<Simultaneous> {
  const [early, late] = [placesOf(inFirst, true), placesOf(inFirst, false)];
  const otherSeed = Number(BigInt(rule.seed) ^ OTHER_STREAM);
  const drawnEarly = (draw: number) => drawnIndices(rule.seed, draw, early.length);
  const both = new Uint32Array(inFirst.length);
  const drawnBoth = (draw: number) => {
    both.set(drawnEarly(draw).map((index) => early[index] as number));
    both.set(
      drawnIndices(otherSeed, draw, late.length).map((index) => late[index] as number),
      early.length,
    );
    return both;
  };
  const once = await extremesOf(firstOnly(family, early), rule.draws, drawnEarly, pause);
  const whole = await extremesOf(family, rule.draws, drawnBoth, pause);
  stop(whole, once, 1 - spentAlpha(rule.alpha, share) / 2);
  return bounded(family.map(momentsOf), whole, { alpha: rule.alpha, isEnumerated: false });
}

/** Marks the resamples in which the first look would have ended the study. */
function stop(whole: Extremes, once: Extremes, level: number): void {
  const { upper, lower } = boundsAt(once, level);
  for (let draw = 0; draw < whole.largest.length; draw++) {
    if ((once.largest[draw] as number) > upper) whole.largest[draw] = Number.POSITIVE_INFINITY;
    if ((once.smallest[draw] as number) < lower) whole.smallest[draw] = Number.NEGATIVE_INFINITY;
  }
}

function boundsAt({ largest, smallest }: Extremes, level: number): Bounds {
  const k = rankOf(level, largest.length, 1);
  return {
    upper: largest.toSorted()[k - 1] as number,
    lower: smallest.toSorted()[smallest.length - k] as number,
  };
}
