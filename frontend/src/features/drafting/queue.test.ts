import { expect, test } from "vitest";
import type { ShownDraft } from "@/api/types";
import { FIRST, placeIn, queueOf } from "./queue";

function draft(key: string, more: Partial<ShownDraft> = {}): ShownDraft {
  return { draft: { key }, state: "waiting", is_drawn: false, is_decided: false, ...more } as ShownDraft;
}
const keys = (queue: ShownDraft[]) => queue.map((each) => each.draft.key);

test("drafts drawn at random come first, also accepted ones, and decided ones have left", () => {
  const drafts = [
    draft("a"),
    draft("b", { state: "accepted", is_drawn: true }),
    draft("c", { state: "accepted" }),
    draft("d", { is_drawn: true, is_decided: true }),
  ];
  expect(keys(queueOf(drafts, undefined))).toEqual(["b", "a"]);
  expect(keys(queueOf(drafts, "accepted"))).toEqual(["b", "c"]);
});

test("a draft stays on screen when another one comes before it, and the next one follows when it leaves", () => {
  const shown = { key: "a", at: 0 };
  expect(placeIn([draft("new"), draft("a"), draft("b")], shown)).toBe(1);
  expect(placeIn([draft("b"), draft("c")], shown)).toBe(0);
  expect(placeIn([draft("b")], { key: "c", at: 1 })).toBe(0);
  expect(placeIn([], FIRST)).toBe(0);
});
