/** The number in a field; null while the field is empty or holds something else. */
export function typedNumber(value: number | string): number | null {
  return typeof value === "number" ? value : null;
}
