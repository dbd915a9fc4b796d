/** Which rows of the ledger are shown; days as `2026-11-21`, by the reader's own clock. */
export interface Filter {
  account: string | undefined;
  /** A run's id, or its twelve characters in the ledger. */
  of: string | undefined;
  since: string | undefined;
  /** The last day that is shown. */
  until: string | undefined;
}

export const NO_FILTER: Filter = { account: undefined, of: undefined, since: undefined, until: undefined };
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A filter of what stands in the address or in the form; what is no filter is left out. */
export function filterOf(given: { [key in keyof Filter]?: unknown }): Filter {
  return {
    account: text(given.account),
    of: text(given.of),
    since: day(given.since),
    until: day(given.until),
  };
}

/** The filter as the server takes it: moments, the last day whole. */
export function queryOf({ account, of, since, until }: Filter) {
  return {
    account: account ?? null,
    run: of ?? null,
    since: since === undefined ? null : midnight(since, 0),
    until: until === undefined ? null : midnight(until, 1),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function day(value: unknown): string | undefined {
  const found = text(value);
  return found !== undefined && DAY.test(found) && !Number.isNaN(Date.parse(found)) ? found : undefined;
}

/** When a day begins here, so many days later. */
function midnight(given: string, later: number): string {
  const [year = 0, month = 1, date = 1] = given.split("-").map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}
