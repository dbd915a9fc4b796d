/** SplitMix64 by place (Steele, Lea and Flood 2014): the resamples of a verdict, the same in every program. */

/** 64-bit numbers as two halves of 32 bits: BigInt would take a hundred times longer. */
const GOLDEN = [0x9e3779b9, 0x7f4a7c15] as const;
const FIRST = [0xbf58476d, 0x1ce4e5b9] as const;
const SECOND = [0x94d049bb, 0x133111eb] as const;
const HALF = 2 ** 32;
const LOW = 0xffff;

/** The upper 32 bits of the product of two 32-bit numbers. */
function upperProduct(one: number, other: number): number {
  const [a, b, c, d] = [one >>> 16, one & LOW, other >>> 16, other & LOW];
  const low = b * d;
  const middle = a * d + (low >>> 16);
  const second = (middle & LOW) + b * c;
  return (a * c + Math.floor(middle / 65_536) + Math.floor(second / 65_536)) >>> 0;
}

/** Upper 32 bits of the output at each of `size` places from `first`, for a seed below 2^53. */
export function upperOutputs(seed: number, first: number, size: number): Uint32Array {
  return outputs(seed, first, size).upper;
}

/** Both halves of the same outputs. */
export function outputs(
  seed: number,
  first: number,
  size: number,
): { upper: Uint32Array; lower: Uint32Array } {
  const [upper, lower] = [new Uint32Array(size), new Uint32Array(size)];
  const seedHigh = Math.floor(seed / HALF);
  const seedLow = seed >>> 0;
  for (let place = 0; place < size; place++) {
    const at = first + place + 1;
    const [atHigh, atLow] = [Math.floor(at / HALF), at >>> 0];
    let low = Math.imul(atLow, GOLDEN[1]) >>> 0;
    let high =
      (upperProduct(atLow, GOLDEN[1]) + Math.imul(atLow, GOLDEN[0]) + Math.imul(atHigh, GOLDEN[1])) >>> 0;
    const sum = low + seedLow;
    high = (high + seedHigh + (sum >= HALF ? 1 : 0)) >>> 0;
    low = sum >>> 0;

    low = (low ^ ((low >>> 30) | (high << 2))) >>> 0;
    high = (high ^ (high >>> 30)) >>> 0;
    high = (upperProduct(low, FIRST[1]) + Math.imul(low, FIRST[0]) + Math.imul(high, FIRST[1])) >>> 0;
    low = Math.imul(low, FIRST[1]) >>> 0;

    low = (low ^ ((low >>> 27) | (high << 5))) >>> 0;
    high = (high ^ (high >>> 27)) >>> 0;
    high = (upperProduct(low, SECOND[1]) + Math.imul(low, SECOND[0]) + Math.imul(high, SECOND[1])) >>> 0;
    low = Math.imul(low, SECOND[1]) >>> 0;

    lower[place] = (low ^ ((low >>> 31) | (high << 1))) >>> 0;
    upper[place] = (high ^ (high >>> 31)) >>> 0;
  }
  return { upper, lower };
}

/** `size` indices in [0, size) for draw number `draw`: output draw * size + i, its upper half times size. */
export function drawnIndices(seed: number, draw: number, size: number): Uint32Array {
  return upperOutputs(seed, draw * size, size).map((upper) => Math.floor((upper * size) / HALF));
}
