/** What a bundle holds of the ledger: whether its rows say what manifest and records say, and fit together. */
import { checkEntry } from "./entry-check";
import type { EntryDocument } from "./forms";
import { checkLocalLedger } from "./local-check";
import { type Placed, placedOf } from "./placed";
import { checkProofs } from "./proofs-check";
import type { Bundle, Subject } from "./reading";
import { checkQuestionEntries, checkRunEntry } from "./rows-check";
import { CHAIN_STEPS, type Gap, type StepName } from "./steps";
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
