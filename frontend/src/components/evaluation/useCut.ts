import { useState } from "react";
import { bounded, type Cut, cutAfter, cutLineOf, keptBy, lowered } from "./cut";
import type { Detail } from "./detail";
import { useView } from "./useView";

/** The cut line that a reader moves: stored in the address, and below the pointer while it is dragged. */
export function useCut({ passages, policy }: Detail) {
  const [{ cut: wanted }, putView] = useView();
  const [dragged, setDragged] = useState<Cut | null>(null);
  const own = cutLineOf(policy);
  if (!own) return null;

  const total = passages.length;
  const similarities = passages.map(({ similarity }) => similarity);
  const most = policy.mode === "score" ? policy.max_k : total;
  const at = (value: number | undefined) =>
    value === undefined ? own : bounded({ ...own, at: value }, total);
  const line = dragged ?? at(wanted);
  const put = (change: (value: number | undefined) => Cut) =>
    putView(({ cut }) => {
      const { at: value } = change(cut);
      return { cut: value === own.at ? undefined : value };
    });
  const after = (count: number) => bounded(cutAfter(own.by, Math.min(most, count), similarities), total);
  return {
    line,
    own,
    isMoved: line.at !== own.at,
    /** Whether it was dropped at another place; the note about that stays while the line is dragged. */
    restsElsewhere: at(wanted).at !== own.at,
    kept: keptBy(line, similarities, most),
    /** Down the ranking by so many steps, from where the line is when this takes effect. */
    step: (steps: number) => put((value) => lowered(at(value), steps, total)),
    toEnd: (end: "first" | "last") => put(() => after(end === "first" ? 0 : total)),
    reset: () => put(() => own),
    drag: (count: number) => setDragged(after(count)),
    drop: (count: number | null) => {
      setDragged(null);
      if (count !== null) put(() => after(count));
    },
  };
}

export type MovableCut = NonNullable<ReturnType<typeof useCut>>;
