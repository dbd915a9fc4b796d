import { useEffect, useRef } from "react";
import { usePreviewSweep } from "@/api/sweeps";
import { DEFAULTS } from "./form";
import { sweepOf } from "./usePlan";
import type { SweepFormState } from "./useSweepForm";

/** With more questions than these the preview takes long, and is left to its button. */
const MOST_QUESTIONS = 500;

type Range = readonly [start: number | "", stop: number | "", step: number | ""];

/** Thresholds that nobody has typed are those that the retrieval of the questions suggests, as on the command line. */
export function useProposedRange(form: SweepFormState, isFresh: boolean): void {
  const { mutateAsync } = usePreviewSweep();
  const { values, plan, fill } = form;
  const range: Range = [values.start, values.stop, values.step];
  const usual = useRef<Range>([DEFAULTS.start, DEFAULTS.stop, DEFAULTS.step]);
  const untouched = useRef(false);
  untouched.current =
    isFresh &&
    values.varyThreshold &&
    values.thresholdsAs === "range" &&
    range.join() === usual.current.join();
  const asked = useRef("");
  const material = `${values.collection}\n${values.dataset}`;
  const questions = plan.ready ? (plan.query.data?.questions ?? 0) : 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other material is the event
  useEffect(() => {
    if (!untouched.current || questions === 0 || questions > MOST_QUESTIONS || asked.current === material)
      return;
    asked.current = material;
    mutateAsync({ body: sweepOf(values) })
      .then(({ collections }) => {
        const proposed = collections[0]?.proposed;
        if (!proposed || !untouched.current || asked.current !== material) return;
        const { start, stop, step } = proposed;
        usual.current = [start, stop, step];
        fill({ start, stop, step });
      })
      // The preview is free and silent: its panel says what is wrong when somebody asks for it.
      .catch(() => undefined);
  }, [material, questions]);
}
