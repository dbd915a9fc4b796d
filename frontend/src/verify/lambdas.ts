/** How much a judge's values count beside ratings (lambda of PPI++): docs/bundle.md, "Ratings of people". */
import { upperOutputs } from "./splitmix";

const FOLDS = 5;
const ROUNDING = 1e-9;

const sumOf = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
export const meanOf = (values: readonly number[]) => sumOf(values) / values.length;

interface Pair {
  label: number;
  value: number;
}

/** Lambda of each rated question, estimated on the other folds; 0 where the judge adds nothing to the ratings. */
export function lambdasOf(rated: readonly Pair[], others: readonly number[], seed: number): number[] {
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
