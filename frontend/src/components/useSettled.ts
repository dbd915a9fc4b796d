import { useDebouncedValue } from "@mantine/hooks";

/** Milliseconds without a change after which the plan of a form is computed. */
const SETTLED_MS = 400;

/** The values of a form, updated once nothing was typed for a moment. */
export function useSettled<Value>(value: Value): Value {
  return useDebouncedValue(value, SETTLED_MS)[0];
}
