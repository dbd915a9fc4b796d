import type { Figure } from "@/api/types";
import type { QuestionSource } from "@/components/results/questionSources";
import { FigureView } from "./FigureView";

interface Props {
  figures: readonly Figure[];
  sources?: readonly QuestionSource[];
}

/** Figures below each other; those of one subject by several measures are one, with a choice of its horizontal axis. */
export function FigureList({ figures, sources }: Props) {
  return figures
    .filter(({ id }) => mainOf(figures, id) === undefined)
    .map((figure) => (
      <FigureView
        key={figure.id}
        figure={figure}
        others={figures.filter(({ id }) => mainOf(figures, id) === figure)}
        sources={sources}
      />
    ));
}

/** The figure that another one repeats by another measure: `cost` of `cost-seconds`. */
function mainOf(figures: readonly Figure[], id: string): Figure | undefined {
  return id.startsWith("cost-") ? figures.find((figure) => figure.id === "cost") : undefined;
}
