import { useMemo } from "react";
import { api } from "@/api/client";
import type { Behind } from "@/components/results/behind";
import { behindSheets, behindSweep } from "@/components/results/behindOf";
import type { Labels } from "./labels";

const STALE_MS = 600_000;
/** Begins the id of every import, and of nothing else. */
const IMPORT = /^sheets-/;

/** The configurations of both studies, under the names that they have here, with the way to their questions. */
export function useBehind(
  { first, second, labels }: { first: string; second: string; labels: Labels },
  isEnabled: boolean,
): [Behind[], Behind[]] {
  return [useStudy(first, labels, isEnabled), useStudy(second, labels, isEnabled)];
}

function useStudy(id: string, labels: Labels, isEnabled: boolean): Behind[] {
  const isImport = IMPORT.test(id);
  const imported = api.useQuery(
    "get",
    "/api/v1/imports/{import_id}",
    { params: { path: { import_id: id } } },
    { enabled: isEnabled && isImport, staleTime: STALE_MS },
  );
  const analysed = api.useQuery(
    "get",
    "/api/v1/sweeps/{sweep_id}/analysis",
    { params: { path: { sweep_id: id } } },
    { enabled: isEnabled && !isImport, staleTime: STALE_MS },
  );
  return useMemo(() => {
    if (imported.data) {
      return behindSheets(id, imported.data.audit.sheets).map((behind) => ({
        ...behind,
        model: labels[behind.model] ?? behind.model,
      }));
    }
    return behindSweep(analysed.data?.configurations ?? []);
  }, [id, labels, imported.data, analysed.data]);
}
