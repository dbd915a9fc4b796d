import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { api } from "@/api/client";
import { Problem } from "@/api/problem";
import type { Sweep } from "@/api/types";
import { words } from "@/words";
import { fieldOf, numbers, type SweepForm, thresholdsOf } from "./form";
import { toSweep } from "./sweep";

const PAUSE_MS = 250;

export type FieldErrors = Partial<Record<keyof SweepForm, string>>;

/** The name a sweep gets when none is typed. */
export function defaultName(form: SweepForm): string {
  const { variedK, variedThresholds } = words.sweeps;
  const thresholds = thresholdsOf(form);
  const [first] = thresholds;
  const last = thresholds.at(-1);
  const parts = [
    first !== undefined && last !== undefined ? variedThresholds(first.toFixed(2), last.toFixed(2)) : null,
    form.varyK ? variedK(numbers(form.ks).join(", ")) : null,
  ].filter((part) => part !== null);
  return words.newSweep.defaultName(form.dataset, parts.join(", "));
}

/** The form as the server reads it; its defaults fill in what is left out. */
export function sweepOf(form: SweepForm): Sweep {
  return toSweep(form, form.name.trim() || defaultName(form)) as Sweep;
}

/** Messages under the fields they belong to, and whether every message found its field. */
export function sortProblem(error: unknown, form: SweepForm): { fields: FieldErrors; complete: boolean } {
  const fields: FieldErrors = {};
  if (!(error instanceof Problem)) return { fields, complete: false };
  let complete = error.errors.length > 0;
  for (const { field, message } of error.errors) {
    const place = field ? fieldOf(field, form) : null;
    if (place) fields[place] ??= message;
    else complete = false;
  }
  return { fields, complete };
}

/** What the sweep of the form will take, kept up to date while it is typed. */
export function usePlan(form: SweepForm) {
  const [settled] = useDebouncedValue(form, PAUSE_MS);
  const ready =
    settled.collection !== "" &&
    settled.dataset !== "" &&
    settled.models.length > 0 &&
    settled.prompts.length > 0;
  const query = api.useQuery(
    "post",
    "/api/v1/sweeps/plans",
    { body: sweepOf(settled) },
    { enabled: ready, placeholderData: keepPreviousData },
  );
  return { ready, query, ...sortProblem(query.error, settled) };
}
