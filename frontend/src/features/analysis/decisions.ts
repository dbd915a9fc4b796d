import { pinned } from "./constants";

export const PANELS = ["text-1", "text-1-no-meteor", "phase3", "phase3-no-meteor", "phase2"] as const;
export const MISSING = ["worst", "drop"] as const;
export const TRUNCATED = ["keep", "exclude"] as const;
export const SCOPES = ["all", "model", "run"] as const;
export const BANDS = ["phase3", "phase4"] as const;
/** Settings that are typed as numbers, by their names in the address. */
export const AMOUNTS = ["margin", "alpha", "tcps_alpha", "tcps_beta", "right_from"] as const;

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
  /** Words for the size of T-CPS gains. */
  bands?: (typeof BANDS)[number] | undefined;
  margin?: number | undefined;
  alpha?: number | undefined;
  tcps_alpha?: number | undefined;
  tcps_beta?: number | undefined;
  right_from?: number | undefined;
}

/** The query of every route of a sweep's analysis: only what was decided otherwise than usual. */
export function decided({ constants, ...others }: Decisions) {
  const given = Object.entries(others).filter(([, value]) => value !== undefined);
  return { ...(Object.fromEntries(given) as Given), ...pinned(constants) };
}

type Given = { [Name in keyof Omit<Decisions, "constants">]: NonNullable<Decisions[Name]> };

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
