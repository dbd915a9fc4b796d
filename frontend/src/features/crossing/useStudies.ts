import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { importQueries } from "@/api/imports";
import { sweepQueries } from "@/api/sweeps";

/** A sweep or an import, which can be one of two that are compared. */
export interface Study {
  id: string;
  name: string;
  kind: "sweep" | "import";
  /** As the study names them. */
  models: string[];
}

/** What can be compared: sweeps with scores, and imported sheets; newest first. */
export function useStudies() {
  const sweeps = useQuery(sweepQueries.all());
  const imports = useQuery(importQueries.list());
  const all = useMemo<Study[]>(
    () => [
      ...(sweeps.data ?? [])
        .filter(({ runs }) => runs.some(({ counts }) => counts.scored > 0))
        .map(({ id, sweep, runs }) => ({
          id,
          name: sweep.name,
          kind: "sweep" as const,
          models: [...new Set(runs.map(({ config }) => config.model.name))],
        })),
      ...(imports.data?.items ?? []).map(({ id, name, models }) => ({
        id,
        name,
        kind: "import" as const,
        models,
      })),
    ],
    [sweeps.data, imports.data],
  );
  return {
    all,
    isPending: sweeps.isPending || imports.isPending,
    isReady: sweeps.isSuccess && imports.isSuccess,
    error: sweeps.error ?? imports.error,
    retry: () => {
      void sweeps.refetch();
      void imports.refetch();
    },
    hasPair: (["sweep", "import"] as const).some(
      (kind) => all.filter((study) => study.kind === kind).length > 1,
    ),
  };
}
