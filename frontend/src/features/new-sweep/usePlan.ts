import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { budgetOf } from "@/api/budget";
import { Problem } from "@/api/problem";
import { sweepQueries } from "@/api/sweeps";
import type { Sweep } from "@/api/types";
import { formatThresholds } from "@/components/numbers/thresholds";
import { t } from "@/words";
import { fieldOf, numbers, type SweepForm, thresholdsOf } from "./form";
import { toSweep } from "./sweep";

const PAUSE_MS = 250;

export type FieldErrors = Partial<Record<keyof SweepForm, string>>;

/** The name a sweep gets when none is typed. */
export function defaultName(form: SweepForm): string {
  const parts = [
    formatThresholds(thresholdsOf(form)),
    form.varyK ? t("k = {values}", { values: numbers(form.ks).join(", ") }) : null,
  ].filter((part) => part !== null);
  return parts.length > 0 ? `${form.dataset}: ${parts.join(", ")}` : form.dataset;
}

/** The name of a copy: none in place of a generated one, which is wrong as soon as a setting is changed. */
export function copiedName(name: string, form: SweepForm): string {
  return name === defaultName(form) ? "" : t("{name}, copy", { name });
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
  const query = useQuery({ ...sweepQueries.plan(sweepOf(settled), budgetOf(settled)), enabled: ready });
  return { ready, query, ...sortProblem(query.error, settled) };
}
