/** How a few whole numbers lie. */
export interface Description {
  n: number;
  minimum: number;
  median: number;
  mean: number;
  maximum: number;
}

/** Median, mean and ends of some numbers, or null where there are none. */
export function describe(values: number[]): Description | null {
  const sorted = [...values].sort((a, b) => a - b);
  const [minimum] = sorted;
  const maximum = sorted.at(-1);
  if (minimum === undefined || maximum === undefined) return null;
  const half = sorted.length / 2;
  const middle = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1);
  return { n: sorted.length, minimum, median: meanOf(middle), mean: meanOf(sorted), maximum };
}

function meanOf(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Words of a text: what stands between white space. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}

/** Whether a text holds every word that is sought, in any order and case. */
export function holds(text: string, sought: string): boolean {
  const lower = text.toLocaleLowerCase();
  return sought
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
