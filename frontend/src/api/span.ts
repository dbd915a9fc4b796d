import type { SweepDetail } from "./types";

/** When the last run ended, and how long all took together; null before. */
export function spanOf({ runs }: SweepDetail): { end: string; seconds: number } | null {
  const starts = runs.flatMap(({ started_at }) => started_at ?? []);
  const ends = runs.flatMap(({ finished_at }) => finished_at ?? []);
  const [start] = starts.sort();
  const end = ends.sort().at(-1);
  if (start === undefined || end === undefined || ends.length < runs.length) return null;
  return { end, seconds: (Date.parse(end) - Date.parse(start)) / 1000 };
}
