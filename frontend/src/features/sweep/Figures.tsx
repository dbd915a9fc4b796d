import { useQuery } from "@tanstack/react-query";
import { sweepQueries } from "@/api/sweeps";
import type { QuestionSource } from "@/components/results/questionSources";
import { Waiting } from "@/components/Waiting";
import { FigureList } from "@/figures/FigureList";
import classes from "./Figures.module.css";

/** The figures that decide: what quality costs, what each gains, its level, and what a threshold cuts. */
const FIRST = [/^cost(-|$)/, /^ranked$/, /^cps$/, /^similarities-/];

/** About their heights: what stands below them must not move when they arrive. */
const HEIGHTS = [570, 440, 470, 470];

export function Figures({ id, sources }: { id: string; sources: readonly QuestionSource[] }) {
  const query = useQuery(sweepQueries.figures(id));
  if (query.isPending)
    return (
      <div className={classes.figures}>
        {HEIGHTS.map((height, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a place has no other name
          <Waiting key={place} height={height} />
        ))}
      </div>
    );
  const shown = FIRST.flatMap((known) =>
    (query.data?.items ?? []).filter(({ id: name }) => known.test(name)),
  );
  return (
    <div className={classes.figures}>
      <FigureList figures={shown} sources={sources} />
    </div>
  );
}
