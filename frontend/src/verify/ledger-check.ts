/** What a bundle holds of the ledger: whether its rows say what manifest and records say, and fit together. */
import { checkEntry } from "./entry-check";
import type { EntryDocument } from "./forms";
import { checkLocalLedger } from "./local-check";
import { placedOf } from "./placed";
import type { Bundle } from "./reading";
import { checkQuestionEntries, checkRunEntry } from "./rows-check";
import { CHAIN_STEPS, type Gap, type StepName } from "./steps";
import { checkActions, checkTransactionIds } from "./transactions-check";

const LEDGER_STEPS = [
  "run_entry",
  "question_entries",
  "local_ledger",
  "transaction_id",
  "action",
  "expected",
] as const satisfies StepName[];

/** Every step about the ledger, those that only a chain can confirm among them: none is asked here. */
export async function checkLedger(bundle: Bundle): Promise<void> {
  const document = bundle.entry.value;
  const placed = document ? placedOf(document) : [];
  await checkEntry(bundle, document, placed);
  if (!document || placed.length === 0) {
    const why = document ? "not_recorded" : "entry_unreadable";
    for (const name of [...LEDGER_STEPS, ...CHAIN_STEPS]) bundle.steps.skipped(name, why);
    return;
  }
  await checkRunEntry(bundle, document, placed);
  await checkQuestionEntries(bundle, placed);
  await checkLocalLedger(bundle, placed);
  await checkTransactionIds(bundle, document);
  checkActions(bundle, document, placed);
  bundle.steps.skipped("expected", "nothing_expected");
  for (const name of CHAIN_STEPS) bundle.steps.skipped(name, whyNoChain(bundle, document));
}

function whyNoChain({ steps }: Bundle, document: EntryDocument): Gap {
  if (document.transactions.length === 0) return "in_a_local_ledger";
  const isBroken = (["entry", "transaction_id", "action"] as const).some(
    (name) => steps.outcome(name) === "fail",
  );
  if (isBroken) return "transactions_do_not_hold";
  return steps.outcome("action") === "pass" ? "no_chain_asked" : "actions_uncompared";
}
