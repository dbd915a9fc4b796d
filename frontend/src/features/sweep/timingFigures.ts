import type { TimingReport } from "@/api/types";
import { formatCount, formatDuration, formatScore } from "@/components/numbers/format";
import { words } from "@/words";

export type FigureName = keyof typeof words.sweep.timingFigures;
type TimedQuestion = TimingReport["questions"][number];

const NS = 1e-9;
const seconds = (nanoseconds: number | null | undefined) => (nanoseconds == null ? null : nanoseconds * NS);

/** How a figure is written: seconds in a sensible unit, tokens as counts, their speed with one decimal. */
export function formatOf(name: FigureName): (value: number) => string {
  if (name === "tokens_per_s") return (value) => formatScore(value, 1);
  return name.endsWith("_tokens") ? formatCount : formatDuration;
}

/** The figures that some configuration has, in the order in which they are shown. */
export function figuresOf({ configurations }: TimingReport): FigureName[] {
  const names = Object.keys(words.sweep.timingFigures) as FigureName[];
  return names.filter((name) => configurations.some(({ figures }) => figures[name]));
}

/** What a question that is no part of a median took, by figure; null where nothing says. */
export const OF_WARM_UP: [FigureName, (question: TimedQuestion) => number | null][] = [
  ["load_s", ({ model }) => seconds(model.load_duration_ns)],
  ["total_s", ({ model }) => seconds(model.total_duration_ns)],
  ["generation_s", ({ generation_s }) => generation_s],
];
