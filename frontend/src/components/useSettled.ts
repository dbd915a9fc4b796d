import { useDebouncedValue } from "@mantine/hooks";

/** How long a form rests before its plan is computed. */
const SETTLED_MS = 400;

/** What a form holds once nothing was typed for a moment. */
export function useSettled<Value>(value: Value): Value {
  return useDebouncedValue(value, SETTLED_MS)[0];
}
