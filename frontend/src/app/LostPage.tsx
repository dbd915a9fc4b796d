import { useEffect } from "react";
import { answers } from "@/api/chunks";
import type { Problem } from "@/api/problem";
import { NoPage } from "@/components/NoPage";

const PROBE_MS = 2000;

/** In place of a page whose code could not be loaded: it comes by itself once the server answers again. */
export function LostPage({ problem }: { problem: Problem }) {
  useEffect(() => {
    let wasAway = false;
    const probe = setInterval(async () => {
      if (!(await answers())) wasAway = true;
      // Where the server was never away, reloading would fail for ever: that is left to the reader.
      else if (wasAway) window.location.reload();
    }, PROBE_MS);
    return () => clearInterval(probe);
  }, []);
  const retry = async () => {
    // A reload without a server would put the browser's own error page here.
    if (await answers()) window.location.reload();
  };
  return <NoPage error={problem} onRetry={retry} />;
}
