import clsx from "clsx";
import { t } from "@/words";
import { STATES } from "@/words/states";
import classes from "./StateBadge.module.css";

export type State = keyof typeof STATES;

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

interface Props {
  state: State;
  /** How many of its questions failed. */
  failures?: number;
}

export function StateBadge({ state, failures = 0 }: Props) {
  const isFlawed = state === "finished" && failures > 0;
  return (
    <span className={clsx(classes.badge, isFlawed ? classes.paused : classes[state])}>
      <span aria-hidden="true" className={classes.mark}>
        {isFlawed ? MARKS.failed : MARKS[state]}
      </span>
      {isFlawed ? t("Finished with failures") : STATES[state]}
    </span>
  );
}
