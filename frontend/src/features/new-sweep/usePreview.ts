import { budgetOf } from "@/api/budget";
import { usePreviewSweep } from "@/api/steering";
import type { SweepPreview } from "@/api/types";
import type { SweepForm } from "./form";
import { sweepOf } from "./usePlan";
import type { SweepFormState } from "./useSweepForm";

export type Range = NonNullable<SweepPreview["collections"][number]["proposed"]>;

/** What retrieval alone tells of the form: asked for when it is wanted, because every question is looked up. */
export function usePreview(form: SweepFormState) {
  const { mutate, data, error, isPending, variables } = usePreviewSweep();
  const look = (values: SweepForm) => mutate({ body: sweepOf(values), params: { query: budgetOf(values) } });
  return {
    data,
    error,
    isPending,
    /** Whether the form has changed since it was looked up. */
    isOld: variables !== undefined && JSON.stringify(variables.body) !== JSON.stringify(sweepOf(form.values)),
    show: () => look(form.values),
    /** Take a proposed range over into the form, and look again. */
    use: (range: Range) => {
      const { start, stop, step } = range;
      const fields = { varyThreshold: true, thresholdsAs: "range", start, stop, step } as const;
      form.fill(fields);
      look({ ...form.values, ...fields });
    },
  };
}
