/** The note's parts: reasons from the list, and what the rater wrote. */
const BETWEEN = "; ";

/** Whether a note contains a reason of the list. */
export function hasReason(note: string, reason: string): boolean {
  return note.split(BETWEEN).includes(reason);
}

/** The note with a reason added in front, or taken out; what the rater wrote stays. */
export function toggledReason(note: string, reason: string): string {
  const parts = note.split(BETWEEN).filter((part) => part !== "");
  const next = parts.includes(reason) ? parts.filter((part) => part !== reason) : [reason, ...parts];
  return next.join(BETWEEN);
}
