import type { ShownDraft } from "@/api/types";

/** The draft on screen, and its place in the queue, where the next one is when it has left. */
export interface Place {
  key: string;
  at: number;
}

export const FIRST: Place = { key: "", at: 0 };

/** The drafts to review: those drawn at random, then the others that wait; or all drafts of one state. */
export function queueOf(drafts: readonly ShownDraft[], state: ShownDraft["state"] | undefined) {
  if (state) return drafts.filter((each) => each.state === state);
  const isOpen = (each: ShownDraft) => !each.is_decided && (each.state === "waiting" || each.is_drawn);
  return drafts.filter(isOpen).sort((one, other) => Number(other.is_drawn) - Number(one.is_drawn));
}

/** Where the draft on screen is now: the queue changes while questions are drafted, and what is typed must stay. */
export function placeIn(queue: readonly ShownDraft[], { key, at }: Place): number {
  const same = queue.findIndex(({ draft }) => draft.key === key);
  return same < 0 ? Math.min(at, Math.max(0, queue.length - 1)) : same;
}
