import type { TimingReport } from "@/api/types";

/** As the command line has them: ratios within 1 / 1.1 and 1.1, and mean differences within .01, count as the same. */
export const TIME_MARGIN = 0.1;
export const SCORE_MARGIN = 0.01;

/** What the server is asked for a comparison: beside a sweep that is here, or beside a report of another machine. */
export interface Asked {
  sweep_id?: string;
  report?: TimingReport;
  time_margin: number;
  score_margin: number;
}
