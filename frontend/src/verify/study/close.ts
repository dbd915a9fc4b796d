/** Numbers summed in another order agree within this, relative above 1; no decimal fraction is this far from another. */
const TOLERANCE = 2 ** -30;

export function isClose(one: number, other: number, within = TOLERANCE): boolean {
  return Math.abs(one - other) <= within * Math.max(1, Math.abs(one), Math.abs(other));
}
