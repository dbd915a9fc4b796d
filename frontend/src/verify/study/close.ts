/** Numbers summed in another order agree within this, relative above 1. */
const TOLERANCE = 1e-9;

export function isClose(one: number, other: number, within = TOLERANCE): boolean {
  return Math.abs(one - other) <= within * Math.max(1, Math.abs(one), Math.abs(other));
}
