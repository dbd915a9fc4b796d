import { useQuery } from "@tanstack/react-query";
import { sweepQueries } from "@/api/sweeps";
import type { Behind } from "@/components/results/behind";
import { Waiting } from "@/components/Waiting";
import { FigureList } from "@/figures/FigureList";

/** The figures that decide: what quality costs, what each gains, its level, and what a threshold cuts. */
const FIRST = [/^cost(-|$)/, /^ranked$/, /^cps$/, /^similarities-/];

/** About their heights: what stands below them must not move when they arrive. */
const HEIGHTS = [570, 290, 500, 490];

export function Figures({ id, behind }: { id: string; behind: readonly Behind[] }) {
  const query = useQuery(sweepQueries.figures(id));
  if (query.isPending) return HEIGHTS.map((height) => <Waiting key={height} height={height} />);
  const shown = FIRST.flatMap((known) =>
    (query.data?.items ?? []).filter(({ id: name }) => known.test(name)),
  );
  return <FigureList figures={shown} behind={behind} />;
}
