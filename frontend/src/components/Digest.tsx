const SHOWN = 12;

/** The beginning of a digest; whole on hover. */
export function Digest({ value }: { value: string }) {
  return <code title={value}>{value.slice(0, SHOWN)}</code>;
}
