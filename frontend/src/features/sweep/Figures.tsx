import { useQuery } from "@tanstack/react-query";
import { sweepQueries } from "@/api/sweeps";
import type { Behind } from "@/components/results/behind";
import { FigureView } from "@/figures/FigureView";

/** The figures that decide: what quality costs, what each gains, its level, and what a threshold cuts. */
const FIRST = [/^cost$/, /^ranked$/, /^cps$/, /^similarities-/];

export function Figures({ id, behind }: { id: string; behind: readonly Behind[] }) {
  const query = useQuery(sweepQueries.figures(id));
  const shown = FIRST.flatMap((known) =>
    (query.data?.items ?? []).filter(({ id: name }) => known.test(name)),
  );
  return (
    <>
      {shown.map((figure) => (
        <FigureView key={figure.id} figure={figure} behind={behind} />
      ))}
    </>
  );
}
