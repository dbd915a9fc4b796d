import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Run } from "@/api/types";

const OF_A_RUN = ["/api/v1/runs/{run_id}/metrics", "/api/v1/runs/{run_id}/evaluations"] as const;

/** Ask again for what was made of a run whenever its state moves on: it ended, or was opened again. */
export function useFresh(run: Run | undefined): void {
  const cache = useQueryClient();
  const moved = run && `${run.id} ${run.state} ${run.finished_at ?? ""}`;
  const before = useRef(moved);
  useEffect(() => {
    const isSame = before.current === undefined || before.current === moved;
    before.current = moved;
    if (isSame) return;
    for (const path of OF_A_RUN) void cache.invalidateQueries({ queryKey: ["get", path] });
  }, [moved, cache]);
}
