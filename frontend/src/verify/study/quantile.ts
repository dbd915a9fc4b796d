/** Bounds of a winsorised pool, as shares of its values. */
export const PERCENTILES = [0.01, 0.99] as const;

/** Of sorted values, linear between the two nearest. */
export function quantile(values: readonly number[], share: number): number {
  const place = share * (values.length - 1);
  const [below, above] = [values[Math.floor(place)] ?? Number.NaN, values[Math.ceil(place)] ?? Number.NaN];
  return below + (above - below) * (place - Math.floor(place));
}
