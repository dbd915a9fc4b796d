/** Some exports are rounded, and stored figures have gone through texts: within this, two scores are the same. */
const TOLERANCE = 1e-4;

/** Whether a score that was made again is another one than the sheet's; where one is missing, nothing is said. */
export function differs(published: number | null | undefined, again: number | null | undefined): boolean {
  if (published == null || again == null) return false;
  return Math.abs(published - again) > TOLERANCE * Math.max(1, Math.abs(published));
}
