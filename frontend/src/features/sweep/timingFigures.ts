import type { TimingReport } from "@/api/types";
import type { FigureName } from "@/components/results/timings";
import { FIGURES } from "@/components/results/timings";

type TimedQuestion = TimingReport["questions"][number];

const NS = 1e-9;
const seconds = (nanoseconds: number | null | undefined) => (nanoseconds == null ? null : nanoseconds * NS);

/** The figures that some configuration has, in the order in which they are shown. */
export function figuresOf({ configurations }: TimingReport): FigureName[] {
  const names = Object.keys(FIGURES) as FigureName[];
  return names.filter((name) => configurations.some(({ figures }) => figures[name]));
}

/** What a question that is no part of a median took, by figure; null where nothing says. */
export const OF_WARM_UP: [FigureName, (question: TimedQuestion) => number | null][] = [
  ["load_s", ({ model }) => seconds(model.load_duration_ns)],
  ["total_s", ({ model }) => seconds(model.total_duration_ns)],
  ["generation_s", ({ generation_s }) => generation_s],
];
