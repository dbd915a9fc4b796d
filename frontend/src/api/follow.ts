import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { language } from "@/words";
import { inProject } from "./project";
import { sweepQueries } from "./sweeps";
import type { SweepDetail, SweepNow } from "./types";
import { visibleJson } from "./visible";

/**
 * Receive the changes of a sweep, and the answers that are written, from the server while it moves; tells whether
 * they arrive.
 *
 * Where they do not (no connection, or a proxy that holds events back) the page polls.
 */
export function useFollow(id: string, isMoving: boolean): boolean {
  const cache = useQueryClient();
  const [isReported, setReported] = useState(false);
  useEffect(() => {
    if (!isMoving || typeof EventSource === "undefined") return;
    const { queryKey } = sweepQueries.detail(id);
    const events = new EventSource(
      inProject(`/api/v1/sweeps/${encodeURIComponent(id)}/events?language=${language}`),
    );
    events.onmessage = ({ data }: MessageEvent<string>) => {
      setReported(true);
      cache.setQueryData(queryKey, JSON.parse(visibleJson(data)) as SweepDetail);
    };
    events.addEventListener("now", ({ data }: MessageEvent<string>) => {
      cache.setQueryData(sweepQueries.now(id).queryKey, JSON.parse(visibleJson(data)) as SweepNow);
    });
    // The browser connects again by itself; until then the page polls.
    events.onerror = () => {
      setReported(false);
      cache.invalidateQueries({ queryKey });
    };
    return () => {
      events.close();
      setReported(false);
    };
  }, [id, isMoving, cache]);
  return isReported;
}
