import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "./client";
import type { SweepDetail } from "./types";

/** Where a sweep is kept in the cache. */
function keyOf(id: string) {
  return api.queryOptions("get", "/api/v1/sweeps/{sweep_id}", { params: { path: { sweep_id: id } } })
    .queryKey;
}

/**
 * Have the server tell how a sweep moves, while it does; whether it is telling now.
 *
 * Where it is not (no connection, or something between that holds events back) the page asks by itself.
 */
export function useFollow(id: string, isMoving: boolean): boolean {
  const cache = useQueryClient();
  const [isTold, setTold] = useState(false);
  useEffect(() => {
    if (!isMoving || typeof EventSource === "undefined") return;
    const events = new EventSource(`/api/v1/sweeps/${encodeURIComponent(id)}/events`);
    events.onmessage = ({ data }: MessageEvent<string>) => {
      setTold(true);
      cache.setQueryData(keyOf(id), JSON.parse(data) as SweepDetail);
    };
    // The browser connects again by itself; until then the page asks.
    events.onerror = () => {
      setTold(false);
      cache.invalidateQueries({ queryKey: keyOf(id) });
    };
    return () => {
      events.close();
      setTold(false);
    };
  }, [id, isMoving, cache]);
  return isTold;
}
