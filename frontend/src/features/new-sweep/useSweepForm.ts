import { useForm } from "@mantine/form";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { budgetOf } from "@/api/budget";
import { useCreateSweep } from "@/api/steering";
import { keepDraft, keepLast } from "./draft";
import type { SweepForm } from "./form";
import { type FieldErrors, sortProblem, sweepOf, usePlan } from "./usePlan";

/** The form of a sweep for an account (see `recall`): its values, its plan, and what the server says about each field. */
export function useSweepForm(start: SweepForm, account: string) {
  const form = useForm<SweepForm>({ initialValues: start });
  const values = form.getValues();
  useEffect(() => keepDraft(account, values), [account, values]);

  const plan = usePlan(values);
  const { create, submit } = useStart(values, account);
  const refused = sortProblem(create.error, values);
  const errors: FieldErrors = { ...refused.fields, ...plan.fields };

  /** Value, handler and message of one field. */
  const field = <Name extends keyof SweepForm>(name: Name, type: "input" | "checkbox" = "input") => ({
    ...form.getInputProps(name, { type }),
    ...(errors[name] ? { error: errors[name] } : {}),
  });
  return {
    values,
    set: form.setFieldValue,
    /** Several fields at once. */
    fill: (fields: Partial<SweepForm>) => form.setValues(fields),
    plan,
    refused: create.isError && !refused.complete ? create.error : null,
    starting: create.isPending,
    submit,
    field,
    /** Of a field of whole numbers. */
    whole: (name: keyof SweepForm) => ({ ...field(name), allowDecimal: false }),
  };
}

export type SweepFormState = ReturnType<typeof useSweepForm>;

/** Start the sweep once, however often the button is pressed, and open its page. */
function useStart(values: SweepForm, account: string) {
  const create = useCreateSweep();
  const attempt = useRef<{ values: SweepForm; key: string } | null>(null);
  const navigate = useNavigate();
  const submit = async () => {
    if (create.isPending) return;
    // The same values sent again are the same sweep: the server answers with the one it has.
    if (attempt.current?.values !== values) attempt.current = { values, key: crypto.randomUUID() };
    const created = await create
      .mutateAsync({
        body: sweepOf(values),
        params: { header: { "idempotency-key": attempt.current.key }, query: budgetOf(values) },
      })
      .catch(() => null);
    if (!created) return;
    attempt.current = null;
    keepLast(account, values);
    await navigate({ to: "/sweeps/$id", params: { id: created.id } });
  };
  return { create, submit };
}
