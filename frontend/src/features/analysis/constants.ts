/** Constants in the address: the id of the analysis whose own they are, or the constants themselves as JSON. */
export type Source = "own" | "analysis" | "file";

export function sourceOf(given: string | undefined): Source {
  if (given === undefined) return "own";
  return given.startsWith("{") ? "file" : "analysis";
}

/** The query of a route that can be pinned. */
export function pinned(given: string | undefined): { constants?: string } {
  return given === undefined ? {} : { constants: given };
}

/** The end of an address that can be pinned; it begins with `mark` where there is anything. */
export function pinnedAddress(given: string | undefined, mark: "?" | "&"): string {
  return given === undefined ? "" : `${mark}constants=${encodeURIComponent(given)}`;
}

/** The constants in a saved analysis, or alone, as JSON; nothing where there are none. Whether they fit, the server says. */
export function constantsIn(text: string): string | null {
  try {
    const found: unknown = JSON.parse(text);
    if (!isObject(found)) return null;
    const constants = "metrics" in found ? found : found.constants;
    return isObject(constants) ? JSON.stringify(constants) : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
