/** Numbers summed in another order agree within this, relative above 1; no decimal fraction is this far from another. */
const TOLERANCE = 2 ** -30;

export function isClose(one: number, other: number, within = TOLERANCE): boolean {
  // A cell may have 1e999: infinity would be within a share of itself of every number.
  if (!Number.isFinite(one) || !Number.isFinite(other)) return false;
  return Math.abs(one - other) <= within * Math.max(1, Math.abs(one), Math.abs(other));
}
