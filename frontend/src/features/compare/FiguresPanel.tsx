import { keepPreviousData } from "@tanstack/react-query";
import { api } from "@/api/client";
import type { RunComparison } from "@/api/types";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Waiting } from "@/components/Waiting";
import { FigureView } from "@/figures/FigureView";

const STALE_MS = 30_000;
const HEIGHT = 320;

/** What the differences look like: each figure is seen or read as a table, and saved. */
export function FiguresPanel({ comparison: { runs, baseline } }: { comparison: RunComparison }) {
  const query = api.useQuery(
    "get",
    "/api/v1/comparisons/figures",
    { params: { query: { run: runs.map(({ id }) => id), baseline } } },
    { placeholderData: keepPreviousData, staleTime: STALE_MS },
  );
  if (query.isPending) return <Waiting height={HEIGHT} />;
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  return query.data.items.map((figure) => <FigureView key={figure.id} figure={figure} />);
}
