import type { GroundingLimits as Limits } from "@/api/types";

/** Limits that the server uses where none are given. */
export const USUAL: Limits = {
  citation: 0.15,
  grounding: 0.3,
  by: "passage",
  per: "paragraph",
  published: false,
};

/** The limits that the address keeps; what does not fit is as usual, so that an old link still opens its page. */
export function limitsOf(raw: unknown): Limits {
  const given = (typeof raw === "object" && raw !== null ? raw : {}) as Record<string, unknown>;
  const share = (name: "citation" | "grounding") => {
    const value = given[name];
    return typeof value === "number" && value >= 0 && value <= 1 ? value : USUAL[name];
  };
  return {
    citation: share("citation"),
    grounding: share("grounding"),
    by: given.by === "document" ? "document" : USUAL.by,
    per: given.per === "sentence" ? "sentence" : USUAL.per,
    published: given.published === true,
  };
}

/** What of the limits differs from the usual ones, as the address keeps it; nothing where nothing does. */
export function changedLimits(limits: Limits): object | undefined {
  const changed = Object.entries(limits).filter(([name, value]) => value !== USUAL[name as keyof Limits]);
  return changed.length > 0 ? Object.fromEntries(changed) : undefined;
}
