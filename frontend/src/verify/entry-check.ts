/** Whether entry.json holds by itself: seals, numbers, and one place for each row. */
import { type EntryDocument, NOT_RECORDED } from "./forms";
import { ENTRY, type Placed, REGISTRATION } from "./placed";
import { failAt, type Subject, sealOf } from "./reading";
import type { Wrong } from "./steps";

export async function checkEntry(
  subject: Subject,
  document: EntryDocument | null,
  placed: Placed[],
): Promise<void> {
  const { entry, questions, steps } = subject;
  if (entry.wrong) steps.failed("entry", entry.wrong, { member: ENTRY });
  else if (document) {
    const wrong = (await unsealed(document, placed)) ?? misplaced(document, placed, questions);
    if (wrong) failAt(subject, "entry", ENTRY, wrong);
    else steps.passed("entry", String(placed.length));
  }
}

async function unsealed(document: EntryDocument, placed: Placed[]): Promise<Wrong | null> {
  const wrong = (field: string, number: number | null = null): Wrong => ({ why: "unsealed", field, number });
  if ((await sealOf(document.manifest)) !== document.seals.manifest) return wrong("manifest");
  for (const { path, receipt, number } of placed) {
    for (const part of ["place", "recorded_at"] as const) {
      if ((await sealOf(receipt[part])) !== receipt.seals[part]) return wrong(`${path}.${part}`, number);
    }
  }
  for (const [number, { seals, ...values }] of document.transactions.entries()) {
    const parts = values as Record<string, unknown>;
    for (const part of [...new Set([...Object.keys(parts), ...Object.keys(seals)])].sort()) {
      const isSealed = Object.hasOwn(parts, part) && seals[part] === (await sealOf(parts[part]));
      if (!isSealed) return wrong(`transactions[${number}].${part}`);
    }
  }
  return null;
}

/** Rows that are too many, too few, or in a place that another has. */
function misplaced(document: EntryDocument, placed: Placed[], questions: number): Wrong | null {
  const hasRows = placed.some(({ path }) => path !== REGISTRATION);
  if (hasRows && document.run === NOT_RECORDED) return { why: "no_run_row", field: "run" };
  for (const name of ["questions", "question_times"] as const) {
    const held = document[name];
    if (held !== NOT_RECORDED && held.length !== questions) {
      return { why: "other_row_count", facts: [String(held.length), String(questions)], field: name };
    }
  }
  return wrongPlace(document.transactions.length, placed);
}

function wrongPlace(transactions: number, placed: Placed[]): Wrong | null {
  const taken = new Set<string>();
  let order = 0;
  for (const { path, receipt, number } of placed) {
    const { place } = receipt;
    const key = place.kind === "chain" ? `${place.transaction}/${place.action_index}` : `${place.sequence}`;
    if (taken.has(key)) return { why: "same_place", field: `${path}.place`, number };
    taken.add(key);
    if (place.kind === "local") continue;
    if (place.transaction > order || place.transaction >= transactions) {
      return { why: "not_next_transaction", field: `${path}.place.transaction`, number };
    }
    order = Math.max(order, place.transaction + 1);
  }
  return order === transactions ? null : { why: "unused_transaction", field: `transactions[${order}]` };
}
