const EDGE = 2;

/** A line through the values from left to right, the highest at the top; empty where fewer than two are known. */
export function sparkline(values: readonly (number | null)[], width: number, height: number): string {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return "";
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (place: number) => EDGE + (place / (values.length - 1)) * (width - 2 * EDGE);
  // Equal values are a line in the middle.
  const y = (value: number) =>
    high === low ? height / 2 : height - EDGE - ((value - low) / (high - low)) * (height - 2 * EDGE);
  return values
    .flatMap((value, place) => (value === null ? [] : [`${x(place).toFixed(1)},${y(value).toFixed(1)}`]))
    .reduce((path, point) => (path === "" ? `M${point}` : `${path}L${point}`), "");
}
