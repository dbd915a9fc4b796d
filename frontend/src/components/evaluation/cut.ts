import type { RunConfig } from "@/api/types";

type Policy = RunConfig["retrieval"];

/** Where the ranking is cut: at a similarity, or after so many passages. */
export interface Cut {
  by: "similarity" | "count";
  at: number;
}

const STEP = 0.01;
const DIGITS = 4;

/** Where a policy cuts, or null where there is no line that could be moved. */
export function cutLineOf(policy: Policy): Cut | null {
  if (policy.mode === "score") return { by: "similarity", at: policy.min_similarity };
  if (policy.mode === "normal") return { by: "count", at: policy.k };
  return null;
}

/** The same policy with its line elsewhere. */
export function withCut(policy: Policy, cut: Cut): Policy {
  if (policy.mode === "score") return { ...policy, min_similarity: cut.at };
  if (policy.mode === "normal") return { ...policy, k: cut.at };
  return policy;
}

/** How many of a ranking are kept; `similarities` descend, and a threshold keeps what is on it. */
export function keptBy(cut: Cut, similarities: number[], most: number): number {
  if (cut.by === "count") return Math.min(cut.at, similarities.length);
  return similarities.slice(0, most).filter((similarity) => similarity >= cut.at).length;
}

function rounded(value: number, digits: number): number {
  // Adding 0 turns -0 into 0.
  return Number(value.toFixed(digits)) + 0;
}

/** A line within its bounds: similarities lie in [-1, 1], counts between 1 and all. */
export function bounded({ by, at }: Cut, total: number): Cut {
  if (by === "count") return { by, at: Math.round(Math.min(total, Math.max(1, at))) };
  return { by, at: rounded(Math.min(1, Math.max(-1, at)), DIGITS) };
}

/** The line so many steps further down the ranking: .01 of similarity, or one passage. */
export function lowered(cut: Cut, steps: number, total: number): Cut {
  const at = cut.by === "count" ? cut.at + steps : rounded(cut.at - steps * STEP, DIGITS);
  return bounded({ by: cut.by, at }, total);
}

/** The line behind so many passages, at the roundest threshold that lies there; equal to 4 decimals stay together. */
export function cutAfter(by: Cut["by"], count: number, similarities: number[]): Cut {
  if (by === "count") return { by, at: count };
  const last = similarities[count - 1];
  // Before the first passage: the next round threshold above it.
  if (last === undefined)
    return { by, at: Math.min(1, (Math.floor((similarities[0] ?? 1) * 100) + 1) / 100) };
  const next = similarities[count] ?? -1;
  for (let digits = 2; digits < DIGITS; digits++) {
    const at = Math.floor(last * 10 ** digits) / 10 ** digits;
    if (at > next) return { by, at: rounded(at, digits) };
  }
  return { by, at: Math.floor(last * 10 ** DIGITS) / 10 ** DIGITS };
}
