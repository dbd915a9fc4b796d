import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { answers } from "@/api/chunks";
import { Problem } from "@/api/problem";
import { Note } from "@/components/Note";
import { t } from "@/words";
import classes from "./Shell.module.css";

const PROBE_MS = 1000;
/** How often a page that asks for nothing looks whether the server is there. */
const WATCH_MS = 2000;

/** Whether the last request found no server; true until the server answers again, when what is shown is fetched anew. */
function useConnectionLost(): boolean {
  const cache = useQueryClient();
  const [isLost, setLost] = useState(false);
  useEffect(
    () =>
      // Each attempt counts: a query reports its error only after it has been repeated.
      cache.getQueryCache().subscribe((event) => {
        if (event.type !== "updated" || (event.action.type !== "failed" && event.action.type !== "error"))
          return;
        if (event.action.error instanceof Problem && event.action.error.isOffline) setLost(true);
      }),
    [cache],
  );
  useEffect(() => {
    document.documentElement.toggleAttribute("data-lost", isLost);
    let isAsking = false;
    const probe = setInterval(
      async () => {
        // One request at a time: to a slow server they would take all connections that a browser opens.
        if (isAsking || (document.hidden && !isLost)) return;
        isAsking = true;
        const isThere = await answers();
        isAsking = false;
        if (isThere !== isLost) return;
        setLost(!isThere);
        if (isThere) await cache.invalidateQueries();
      },
      isLost ? PROBE_MS : WATCH_MS,
    );
    return () => clearInterval(probe);
  }, [isLost, cache]);
  return isLost;
}

/** Notice that the server cannot be reached; the page continues when it is back. */
export function Connection() {
  const isLost = useConnectionLost();
  return (
    <div role="status" className={classes.lost}>
      {isLost && (
        <Note tone="warn" title={t("Connection lost")}>
          {t("The server does not respond. The page continues when it is back.")}
        </Note>
      )}
    </div>
  );
}
