import type { TimingReport } from "@/api/types";

/** What the server is asked for a comparison: beside a sweep that is here, or beside a report of another machine. */
export interface Asked {
  sweep_id?: string;
  report?: TimingReport;
  time_margin: number;
  score_margin: number;
}
