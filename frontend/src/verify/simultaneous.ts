/** Simultaneous intervals by the studentised bootstrap of whole clusters: docs/bundle.md, "The family". */
import type { Pause } from "./members";
import { drawnIndices } from "./splitmix";

/** Weighted sums of differences, and sums of weights, by cluster, of one configuration. */
export interface ClusterSums {
  sums: Float64Array;
  weights: Float64Array;
}

export interface Moments {
  gain: number | null;
  /** Null with fewer than two clusters. */
  error: number | null;
  clusters: number;
  changed: number;
}

/** The most frequent mean difference of a cluster, and how many clusters have it. */
export interface MostFrequent {
  alike: number;
  amount: number;
}

export interface Simultaneous {
  low: number[];
  high: number[];
  p: number[];
}

const CHANGED = 1e-12;
const NO_SPREAD = 1e-12;
const GRID = 2 ** 30;
const DRAWS_AT_ONCE = 50;
const DECIMALS = 9;

export function clusterSums(
  differences: readonly (number | null)[],
  clusters: readonly number[],
  weights?: readonly number[],
): ClusterSums {
  const numbers = [...new Set(clusters)].sort((one, other) => one - other);
  const places = new Map(numbers.map((number, place) => [number, place]));
  const found = { sums: new Float64Array(numbers.length), weights: new Float64Array(numbers.length) };
  for (const [question, difference] of differences.entries()) {
    const place = places.get(clusters[question] ?? -1);
    if (difference === null || place === undefined) continue;
    const weight = weights ? (weights[question] ?? 0) : 1;
    found.sums[place] = (found.sums[place] ?? 0) + weight * difference;
    found.weights[place] = (found.weights[place] ?? 0) + weight;
  }
  return found;
}

function total(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** Standard error, as a share of the gain, at or below which it is 0. */
const ROUNDING = 1e-12;

export function momentsOf({ sums, weights }: ClusterSums): Moments {
  const clusters = weights.filter((weight) => weight > 0).length;
  const changed = sums.filter((sum) => Math.abs(sum) > CHANGED).length;
  if (clusters === 0) return { gain: null, error: null, clusters, changed };
  const whole = total(weights);
  const gain = total(sums) / whole;
  const influence = sums.map((sum, place) => (sum - (weights[place] ?? 0) * gain) / whole);
  const squares = total(influence.map((psi) => psi * psi));
  const found = clusters > 1 ? Math.sqrt((clusters / (clusters - 1)) * squares) : null;
  // Equal differences such as 1/3 leave the rounding of their mean, which is no spread.
  const error = found !== null && found <= ROUNDING * Math.abs(gain) ? 0 : found;
  return { gain, error, clusters, changed };
}

/** Mean differences of clusters are one amount within this share of their spread. */
const SAME = 1e-6;
/** Clusters that must differ from the baseline, and from any amount that most clusters have. */
export const FEWEST_CHANGED = 10;

/** The amount that most clusters have, if too few have others; null if there is none. */
export function oneAmountOf(member: ClusterSums): MostFrequent | null {
  const { error, clusters } = momentsOf(member);
  const width = SAME * (error ?? 0) * Math.sqrt(clusters);
  const means = member.sums.map((sum, place) => sum / (member.weights[place] ?? 0));
  const values = means.filter((mean) => !Number.isNaN(mean)).sort();
  let [alike, first] = [0, 0];
  for (let from = 0, to = 0; from < values.length; from++) {
    while (to < values.length && (values[to] as number) <= (values[from] as number) + width) to++;
    if (to - from > alike) [alike, first] = [to - from, from];
  }
  const isOne = 2 * alike > clusters && clusters - alike < FEWEST_CHANGED;
  return isOne ? { alike, amount: values[first + Math.floor((alike - 1) / 2)] as number } : null;
}

function snapped(value: number): number {
  return Math.floor(value * GRID + 0.5) / GRID;
}

/** What one resample needs of a cluster, side by side: d, d², d w, w, w² with d centred. */
const PARTS = 5;

/** What resamples need of a configuration. */
interface Resampled {
  parts: Float64Array;
  factor: number;
}

export function resampledOf(member: ClusterSums): Resampled {
  const { gain, clusters } = momentsOf(member);
  return { parts: partsOf(member, gain ?? 0), factor: clusters / (clusters - 1) };
}

function partsOf({ sums, weights }: ClusterSums, gain: number): Float64Array {
  const parts = new Float64Array(sums.length * PARTS);
  for (const [place, sum] of sums.entries()) {
    const weight = weights[place] ?? 0;
    const centred = sum - weight * gain;
    parts.set([centred, centred * centred, centred * weight, weight, weight * weight], place * PARTS);
  }
  return parts;
}

/** The mean of centred sums in one resample, and its variance. */
export function shiftOf({ parts, factor }: Resampled, drawn: Uint32Array): [number, number] {
  let [d, square, mixed, weight, squaredWeight] = [0, 0, 0, 0, 0];
  for (const index of drawn) {
    const at = index * PARTS;
    d += parts[at] as number;
    square += parts[at + 1] as number;
    mixed += parts[at + 2] as number;
    weight += parts[at + 3] as number;
    squaredWeight += parts[at + 4] as number;
  }
  const shift = d / weight;
  return [shift, (factor * (square - 2 * shift * mixed + shift * shift * squaredWeight)) / weight ** 2];
}

/** t* of one configuration in one resample; [high, low] differ only where it says nothing. */
export function statisticOf(shift: number, variance: number, error: number): [number, number] {
  if (variance > NO_SPREAD * error ** 2) {
    const t = snapped(shift / Math.sqrt(variance));
    return [t, t];
  }
  if (Math.abs(shift) > Math.sqrt(NO_SPREAD) * error) {
    const t = Math.sign(shift) * Number.POSITIVE_INFINITY;
    return [t, t];
  }
  return [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
}

/** Every resample there is: all numbers of `size` digits to the base `size`. */
function enumerated(number: number, size: number): Uint32Array {
  const drawn = new Uint32Array(size);
  for (let place = 0, left = number; place < size; place++, left = Math.floor(left / size)) {
    drawn[place] = left % size;
  }
  return drawn;
}

/** The largest and the smallest t* over a family, by resample. */
export interface Extremes {
  largest: Float64Array;
  smallest: Float64Array;
}

export interface Bounds {
  upper: number;
  lower: number;
}

/** Draws clusters `resamples` times and returns the extremes of each; `drawn` gives the clusters of one resample. */
export async function extremesOf(
  family: readonly ClusterSums[],
  resamples: number,
  drawn: (draw: number) => Uint32Array,
  pause: Pause,
): Promise<Extremes> {
  const known = family.map((member) => ({ ...resampledOf(member), error: momentsOf(member).error ?? 0 }));
  return extremesOfDraws(
    resamples,
    (draw) => {
      const clusters = drawn(draw);
      return known.map((each) => statisticOf(...shiftOf(each, clusters), each.error));
    },
    pause,
  );
}

/** The extremes of each resample, whose t* by configuration, high and low, `drawn` gives. */
export async function extremesOfDraws(
  resamples: number,
  drawn: (draw: number) => [number, number][],
  pause: Pause,
): Promise<Extremes> {
  const largest = new Float64Array(resamples).fill(Number.NEGATIVE_INFINITY);
  const smallest = new Float64Array(resamples).fill(Number.POSITIVE_INFINITY);
  for (let draw = 0; draw < resamples; draw++) {
    if (draw % DRAWS_AT_ONCE === 0) await pause();
    for (const [high, low] of drawn(draw)) {
      largest[draw] = Math.max(largest[draw] as number, high);
      smallest[draw] = Math.min(smallest[draw] as number, low);
    }
  }
  return { largest, smallest };
}

/** Intervals and adjusted p values of a family; each member has spread and two clusters or more. */
export async function simultaneous(
  family: readonly ClusterSums[],
  rule: { alpha: number; draws: number; seed: number; hasOldRank?: boolean },
  pause: Pause,
): Promise<Simultaneous> {
  const size = family[0]?.sums.length ?? 0;
  const all = size ** size;
  const isEnumerated = all <= rule.draws;
  const drawn = (draw: number) =>
    isEnumerated ? enumerated(draw, size) : drawnIndices(rule.seed, draw, size);
  const found = await extremesOf(family, isEnumerated ? all : rule.draws, drawn, pause);
  return bounded(family.map(momentsOf), found, {
    alpha: rule.alpha,
    isEnumerated,
    hasOldRank: rule.hasOldRank === true,
  });
}

/** k, counted from 1, of the k-th smallest of some resamples at a level; `one` is the observed sample. */
export function rankOf(level: number, resamples: number, one: 0 | 1): number {
  return Math.min(resamples, Math.ceil(Number((level * (resamples + one)).toFixed(DECIMALS))));
}

export function bounded(
  family: readonly Pick<Moments, "gain" | "error">[],
  { largest, smallest }: Extremes,
  { alpha, isEnumerated, hasOldRank }: { alpha: number; isEnumerated: boolean; hasOldRank?: boolean },
): Simultaneous {
  const one = isEnumerated ? 0 : 1;
  const whole = largest.length + one;
  const k = rankOf(1 - alpha / 2, largest.length, one);
  largest.sort();
  smallest.sort();
  const upper = largest[k - 1] as number;
  const lower = smallest[(hasOldRank ? whole : largest.length) - k] as number;
  const known = family.map(({ gain, error }) => ({ gain: gain ?? 0, error: error ?? 0 }));
  return {
    low: known.map(({ gain, error }) => gain - upper * error),
    high: known.map(({ gain, error }) => gain - lower * error),
    p: known.map(({ gain, error }) => {
      const t = snapped(gain / error);
      const above = one + largest.filter((value) => value >= t).length;
      const below = one + smallest.filter((value) => value <= t).length;
      return Math.min(1, (2 * Math.min(above, below)) / whole);
    }),
  };
}
