import { useEffect, useRef } from "react";
import { usePreviewSweep } from "@/api/steering";
import { DEFAULTS, type SweepForm } from "./form";
import { sweepOf } from "./usePlan";
import type { SweepFormState } from "./useSweepForm";

/** With more questions than these the preview takes long, and is left to its button. */
const MOST_QUESTIONS = 500;

/** Where thresholds come from: the usual ones until there is something to retrieve, or where nothing is proposed; else
 * a preview, or a person. */
export type RangeSource = "waiting" | "usual" | "computed" | "proposed" | "typed";

type Ranged = Pick<SweepForm, "start" | "stop" | "step">;

const asText = ({ start, stop, step }: Ranged) => [start, stop, step].join();
const USUAL = asText(DEFAULTS);

/** Thresholds that nobody has typed are those that the retrieval of the questions suggests, as on the command line. */
export function useProposedRange(form: SweepFormState, isFresh: boolean): RangeSource {
  const { mutateAsync, isPending } = usePreviewSweep();
  const { values, plan, fill } = form;
  const range = asText(values);
  const untouched = useRef(false);
  untouched.current =
    isFresh &&
    values.varyThreshold &&
    values.thresholdsAs === "range" &&
    (range === USUAL || range === values.proposed);
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
        fill({ start, stop, step, proposed: asText(proposed) });
      })
      // The preview is free and silent: its panel says what is wrong when somebody asks for it.
      .catch(() => undefined);
  }, [material, questions]);
  if (!untouched.current) return "typed";
  if (isPending) return "computed";
  if (range === values.proposed) return "proposed";
  return values.collection && values.dataset ? "usual" : "waiting";
}
