import type { RunState } from "./types";

/** Whether something still happens by itself. */
export function isMoving(state: RunState | undefined): boolean {
  return state === "running" || state === "queued";
}

/** Whether it has not come to an end: it may go on by itself, or after a pause. */
export function isOpen(state: RunState | undefined): boolean {
  return isMoving(state) || state === "paused";
}
