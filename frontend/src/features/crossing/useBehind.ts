import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { importQueries } from "@/api/imports";
import { sweepQueries } from "@/api/sweeps";
import type { CrossDomain } from "@/api/types";
import type { Behind } from "@/components/results/behind";
import { behindSheets, behindSweep } from "@/components/results/behindOf";
import type { Labels } from "./labels";

/** Begins the id of every import, and of nothing else. */
const IMPORT = /^sheets-/;

/** The configurations of both studies, under the names that they have here, with the way to their questions. */
export function useBehind(
  { first, second, labels }: { first: string; second: string; labels: Labels },
  crossed: CrossDomain | undefined,
): Behind[] {
  const isEnabled = crossed !== undefined;
  const ours = useStudy(first, labels, isEnabled);
  const theirs = useStudy(second, labels, isEnabled);
  if (!crossed) return [];
  return [
    ...ours.map((behind) => ({ ...behind, domain: crossed.first })),
    ...theirs.map((behind) => ({ ...behind, domain: crossed.second })),
  ];
}

function useStudy(id: string, labels: Labels, isEnabled: boolean): Behind[] {
  const isImport = IMPORT.test(id);
  const imported = useQuery({ ...importQueries.detail(id), enabled: isEnabled && isImport });
  const analysed = useQuery({ ...sweepQueries.analysis(id), enabled: isEnabled && !isImport });
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
