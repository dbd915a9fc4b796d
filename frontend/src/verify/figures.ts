/** Counts, means and vectors, as docs/bundle.md defines them: plain sums in order. */
import {
  COLUMNS,
  type Counts,
  LOCAL_TIMES,
  type Mean,
  MODEL_TIMES,
  type QuestionRecord,
  type Scores,
  type TimingRecord,
} from "./forms";

export type Values = readonly (number | null)[];

export function countsOf(records: readonly QuestionRecord[]): Counts {
  const reasons = Object.create(null) as Record<string, number>;
  const states: Record<string, number> = { answered: 0, scored: 0, failed: 0 };
  for (const { state, reason } of records) {
    states[state] = (states[state] ?? 0) + 1;
    if (reason !== null) reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  const { answered = 0, scored = 0, failed = 0 } = states;
  return { asked: records.length, answered: answered + scored, scored, failed, reasons };
}

/** Means of so many places over rows; null counts nowhere. */
export function meansOf(rows: Iterable<Values>, places: number): Mean[] {
  const sums = new Array<number>(places).fill(0);
  const counts = new Array<number>(places).fill(0);
  for (const row of rows) {
    for (const [place, value] of row.entries()) {
      if (value === null) continue;
      sums[place] = (sums[place] as number) + value;
      counts[place] = (counts[place] as number) + 1;
    }
  }
  return sums.map((sum, place) => {
    const n = counts[place] as number;
    const mean = sum / n;
    return { mean: Number.isFinite(mean) ? mean : null, n };
  });
}

export function scoresOf(scores: Scores | null): Values {
  return COLUMNS.map((column) => scores?.[column] ?? null);
}

export function timesOf(record: QuestionRecord, timing: TimingRecord): Values {
  return [...MODEL_TIMES.map((name) => record.timings[name]), ...LOCAL_TIMES.map((name) => timing[name])];
}

/** Values as the ledger holds them: null as 0, and then one value more that says which are real. */
export function vectorOf(values: Values): number[] {
  const filled = values.map((value) => value ?? 0);
  if (!values.includes(null)) return filled;
  const real = values.reduce<number>((sum, value, place) => sum + (value === null ? 0 : 2 ** place), 0);
  return [...filled, real];
}
