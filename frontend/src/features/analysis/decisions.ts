import { pinned } from "./constants";

export const PANELS = ["text-1", "text-1-no-meteor", "phase3", "phase3-no-meteor", "phase2"] as const;
export const MISSING = ["worst", "drop"] as const;
export const TRUNCATED = ["keep", "exclude"] as const;
export const SCOPES = ["all", "model", "run"] as const;

/** How a sweep is analysed, as the address says it; what is not there is as usual. */
export interface Decisions {
  panel?: (typeof PANELS)[number] | undefined;
  missing?: (typeof MISSING)[number] | undefined;
  truncated?: (typeof TRUNCATED)[number] | undefined;
  scope?: (typeof SCOPES)[number] | undefined;
  constants?: string | undefined;
  /** Assessment whose judged column is the primary metric. */
  assessment?: string | undefined;
  primary?: string | undefined;
}

/** The query of every route of a sweep's analysis: only what was decided otherwise than usual. */
export function decided({ panel, missing, truncated, scope, constants, assessment, primary }: Decisions) {
  return {
    ...(panel && { panel }),
    ...(missing && { missing }),
    ...(truncated && { truncated }),
    ...(scope && { scope }),
    ...pinned(constants),
    ...(assessment && { assessment }),
    ...(primary && { primary }),
  };
}

/** The same at the end of an address; it begins with `mark` where there is anything. */
export function decidedAddress(decisions: Decisions, mark: "?" | "&"): string {
  const query = Object.entries(decided(decisions)).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return query.length === 0 ? "" : mark + query.join("&");
}

/** Pools of their own and constants for all exclude one another: the later decision counts. */
export function decide(before: Decisions, next: Partial<Decisions>): Decisions {
  if (next.constants !== undefined) return { ...before, ...next, scope: undefined };
  if (next.scope !== undefined && next.scope !== "all") return { ...before, ...next, constants: undefined };
  return { ...before, ...next };
}
