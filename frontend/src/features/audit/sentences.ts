import type { Failure, Gap, Step } from "@/verify";
import { words } from "@/words";

const label = words.audit;
type Sentence = (...facts: string[]) => string;
// Every reason has a sentence; that each takes as many facts as it is given is tested.
const failures: Record<Failure, Sentence> = label.failures as Record<Failure, Sentence>;
const gaps: Record<Gap, Sentence> = label.gaps as Record<Gap, Sentence>;

/** Why a step failed or was left out, in words; nothing of what holds. */
export function reasonOf({ outcome, why, facts, more }: Step): string {
  if (why === null) return "";
  const said = outcome === "fail" ? failures[why as Failure] : gaps[why as Gap];
  return [said(...facts), more > 0 ? label.more(String(more)) : ""].filter(Boolean).join(" ");
}

/** Where a step failed: member, question, field. */
export function placesOf({ member, number, question, field }: Step): string[] {
  return [
    member === null ? "" : label.inMember(member),
    number === null ? "" : label.atQuestion(String(number), question ?? label.idUnknown),
    field === null ? "" : label.atField(field),
  ].filter(Boolean);
}
