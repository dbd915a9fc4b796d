import { Button, Group } from "@mantine/core";
import { api } from "@/api/client";
import { ButtonLink } from "@/components/links";
import type { Behind } from "@/components/results/behind";
import { FigureView } from "@/figures/FigureView";
import { words } from "@/words";

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
      <Group>
        <ButtonLink to="/analysis/sweeps/$id" params={{ id }} variant="default">
          {words.analysis.open}
        </ButtonLink>
        <Button
          component="a"
          variant="default"
          href={`/api/v1/sweeps/${encodeURIComponent(id)}/report`}
          download
        >
          {words.analysis.reportSave}
        </Button>
      </Group>
    </>
  );
}
