/** What a bundle holds of the ledger: whether its rows say what manifest and records say, and fit together. */

import { digestOf } from "./bytes";
import { canonical } from "./canonical";
import { type EntryDocument, type LocalPlace, NOT_RECORDED } from "./forms";
import { ENTRY, type Placed, placedOf, REGISTRATION } from "./placed";
import { checkProofs } from "./proofs-check";
import { type Bundle, failAt, type Subject, sealOf } from "./reading";
import { checkQuestionEntries, checkRunEntry } from "./rows-check";
import { CHAIN_STEPS, type Gap, type StepName, type Violation } from "./steps";
import { checkActions, checkTransactionIds } from "./transactions-check";

const ROWS_STEPS = ["transaction_id", "action", "expected"] as const satisfies StepName[];

/** Every step about the ledger of a run's bundle. */
export async function checkLedger(bundle: Bundle): Promise<void> {
  await checkRows(bundle, ["run_entry", "question_entries"], async (document, placed) => {
    await checkRunEntry(bundle, document, placed);
    await checkQuestionEntries(bundle, placed);
  });
}

/**
 * Every step about the ledger, those that only a chain can confirm among them: none is asked here. `checkOwn` adds
 * `ownSteps`: whether the rows are those that follow from what is recorded.
 */
export async function checkRows(
  subject: Subject,
  ownSteps: readonly StepName[],
  checkOwn: (document: EntryDocument, placed: Placed[]) => Promise<void>,
): Promise<void> {
  const { steps } = subject;
  const document = subject.entry.value;
  const placed = document ? placedOf(document) : [];
  await checkEntry(subject, document, placed);
  if (!document || placed.length === 0) {
    const why = document ? "not_recorded" : "entry_unreadable";
    for (const name of [...ownSteps, "local_ledger"] as const) steps.skipped(name, why);
    await checkProofs(subject, document, placed);
    for (const name of [...ROWS_STEPS, ...CHAIN_STEPS]) steps.skipped(name, why);
    return;
  }
  await checkOwn(document, placed);
  await checkLocalLedger(subject, placed);
  await checkProofs(subject, document, placed);
  await checkTransactionIds(subject, document);
  checkActions(subject, document, placed);
  steps.skipped("expected", "nothing_expected");
  for (const name of CHAIN_STEPS) steps.skipped(name, whyNoChain(subject, document));
}

function whyNoChain({ steps }: Subject, document: EntryDocument): Gap {
  if (document.transactions.length === 0) return "in_a_local_ledger";
  const isBroken = (["entry", "transaction_id", "action"] as const).some(
    (name) => steps.outcome(name) === "fail",
  );
  if (isBroken) return "transactions_do_not_hold";
  return steps.outcome("action") === "pass" ? "no_chain_asked" : "actions_uncompared";
}

/** Whether entry.json holds by itself: seals, numbers, and one place for each row. */
async function checkEntry(subject: Subject, document: EntryDocument | null, placed: Placed[]): Promise<void> {
  const { entry, questions, steps } = subject;
  if (entry.wrong) steps.failed("entry", entry.wrong, { member: ENTRY });
  else if (document) {
    const wrong = (await unsealed(document, placed)) ?? misplaced(document, placed, questions);
    if (wrong) failAt(subject, "entry", ENTRY, wrong);
    else steps.passed("entry", String(placed.length));
  }
}

async function unsealed(document: EntryDocument, placed: Placed[]): Promise<Violation | null> {
  const wrong = (field: string, number: number | null = null): Violation => ({
    why: "unsealed",
    field,
    number,
  });
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
function misplaced(document: EntryDocument, placed: Placed[], questions: number): Violation | null {
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

function wrongPlace(transactions: number, placed: Placed[]): Violation | null {
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

const NOTHING_BEFORE = "0".repeat(64);

function isLocal(item: Placed): item is Placed & { receipt: { place: LocalPlace } } {
  return item.receipt.place.kind === "local";
}

/** Whether rows of a local ledger have the digests that they name, and link. */
async function checkLocalLedger(subject: Subject, placed: Placed[]): Promise<void> {
  const local = placed
    .filter(isLocal)
    .sort((one, other) => one.receipt.place.sequence - other.receipt.place.sequence);
  if (local.length === 0) {
    subject.steps.skipped("local_ledger", "on_a_chain");
    return;
  }
  let before: LocalPlace | null = null;
  for (const { path, number, receipt } of local) {
    const { place, entry, recorded_at } = receipt;
    const { previous, sequence } = place;
    const digest = await digestOf(canonical({ entry, previous, recorded_at, sequence }));
    if (digest !== place.digest) {
      failAt(subject, "local_ledger", ENTRY, {
        why: "other_local_digest",
        field: `${path}.place.digest`,
        number,
      });
      return;
    }
    if (!links(place, before)) {
      failAt(subject, "local_ledger", ENTRY, {
        why: "does_not_link",
        field: `${path}.place.previous`,
        number,
      });
      return;
    }
    before = place;
  }
  subject.steps.passed("local_ledger", String(local.length), before?.digest ?? "");
}

function links(place: LocalPlace, before: LocalPlace | null): boolean {
  const follows = before !== null && before.sequence + 1 === place.sequence;
  if (!follows && place.sequence !== 1) return true;
  return place.previous === (follows ? before?.digest : NOTHING_BEFORE);
}
