import clsx from "clsx";
import { words } from "@/words";
import classes from "./StateBadge.module.css";

export type State = keyof typeof words.shell.states;

/** A state has a word, a mark and a colour, so that it never hangs on the colour alone. */
const MARKS: Record<State, string> = {
  queued: "○",
  pending: "○",
  running: "◐",
  answered: "◑",
  paused: "‖",
  finished: "✓",
  scored: "✓",
  cancelled: "⊘",
  failed: "!",
};

export function StateBadge({ state }: { state: State }) {
  return (
    <span className={clsx(classes.badge, classes[state])}>
      <span aria-hidden="true" className={classes.mark}>
        {MARKS[state]}
      </span>
      {words.shell.states[state]}
    </span>
  );
}
