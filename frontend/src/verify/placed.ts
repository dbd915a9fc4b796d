/** The rows that a bundle says were recorded, with the places at which they stand in entry.json. */
import { type EntryDocument, NOT_RECORDED, type Receipt } from "./forms";

export const ENTRY = "entry.json";
/** Path of the row of a registered plan, which only studies have. */
export const REGISTRATION = "registration";

/** A receipt with the path at which it stands, and the number of its question. */
export interface Placed {
  path: string;
  receipt: Receipt;
  number: number | null;
}

export function placedOf(document: EntryDocument): Placed[] {
  const found: Placed[] = [];
  for (const name of ["run", "questions", "run_times", "question_times"] as const) {
    const held = document[name];
    if (held === NOT_RECORDED) continue;
    if (Array.isArray(held)) {
      for (const [number, receipt] of held.entries()) {
        found.push({ path: `${name}[${number}]`, receipt, number });
      }
    } else found.push({ path: name, receipt: held, number: null });
  }
  if (document.registration) {
    found.push({ path: REGISTRATION, receipt: document.registration, number: null });
  }
  return found;
}
