import type { QueryClient } from "@tanstack/react-query";
import { isOpen } from "@/api/states";
import { sweepQueries } from "@/api/sweeps";
import type { ModelSummary, SweepDetail } from "@/api/types";
import { t } from "@/words";
import { conclusionsOf } from "./Conclusion";

const VALUES = {
  verdict: (models: readonly ModelSummary[]) =>
    conclusionsOf(models)
      .map(({ heading, about }) => (about ? `${heading} (${about})` : heading))
      .join("; "),
  cps: (models: readonly ModelSummary[]) =>
    models.flatMap(({ means }) => means.map((mean) => mean ?? "")).join("; "),
};

/** Verdict or CPS of sweeps as text, also of those whose rows were never in view. */
export function summariesOf(
  cache: QueryClient,
  sweeps: readonly SweepDetail[],
  what: keyof typeof VALUES,
): Promise<string[]> {
  return Promise.all(
    sweeps.map(async ({ id, state }) => {
      if (isOpen(state)) return "";
      const { models, is_computing } = await cache.ensureQueryData(sweepQueries.summary(id));
      return is_computing ? t("Computing…") : VALUES[what](models);
    }),
  );
}
