import { useQuery } from "@tanstack/react-query";
import { comparisonQueries } from "@/api/runs";
import type { RunComparison } from "@/api/types";
import { QueryState } from "@/components/QueryState";
import { FigureView } from "@/figures/FigureView";

/** What the differences look like: each figure is seen or read as a table, and saved. */
export function FiguresPanel({ comparison: { runs, baseline } }: { comparison: RunComparison }) {
  const query = useQuery(comparisonQueries.figures({ run: runs.map(({ id }) => id), baseline }));
  if (!query.data) return <QueryState query={query} height={320} />;
  return query.data.items.map((figure) => <FigureView key={figure.id} figure={figure} />);
}
