import { useQuery } from "@tanstack/react-query";
import { comparisonQueries } from "@/api/runs";
import type { RunComparison } from "@/api/types";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Waiting } from "@/components/Waiting";
import { FigureView } from "@/figures/FigureView";

const HEIGHT = 320;

/** What the differences look like: each figure is seen or read as a table, and saved. */
export function FiguresPanel({ comparison: { runs, baseline } }: { comparison: RunComparison }) {
  const query = useQuery(comparisonQueries.figures({ run: runs.map(({ id }) => id), baseline }));
  if (query.isPending) return <Waiting height={HEIGHT} />;
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  return query.data.items.map((figure) => <FigureView key={figure.id} figure={figure} />);
}
