import { api } from "@/api/client";
import type { Behind } from "@/components/results/behind";
import { FigureView } from "@/figures/FigureView";

/** The first figures of the sweep: the level of quality, and what is gained over the baseline. */
const FIRST = ["cps", "cps-gain"];
const STALE_MS = 60_000;

export function Figures({ id, behind }: { id: string; behind: readonly Behind[] }) {
  const query = api.useQuery(
    "get",
    "/api/v1/sweeps/{sweep_id}/figures",
    { params: { path: { sweep_id: id } } },
    { staleTime: STALE_MS },
  );
  const shown = (query.data?.items ?? []).filter(({ id: name }) => FIRST.includes(name));
  return (
    <>
      {shown.map((figure) => (
        <FigureView key={figure.id} figure={figure} behind={behind} />
      ))}
    </>
  );
}
