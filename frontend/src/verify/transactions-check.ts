/** Whether the transactions in entry.json have their ids, and hold the rows that are said to be in them. */
import { actionsOf, entryOf, expirationOf, legacyOf, NotPacked, type PackedAction } from "./antelope";
import { hex, sha256, unhexed } from "./bytes";
import { otherField } from "./expected-entries";
import type { ChainPlace, Entry, EntryDocument, Transaction } from "./forms";
import { ENTRY, type Placed } from "./placed";
import { failAt, type Subject } from "./reading";
import type { Violation } from "./steps";

const BLOCK_NUMBER_DIGITS = 8;
/** How long before it expires a block may take a transaction. */
const LONGEST_LIFETIME_S = 3600;
/** The published contract has no field for a digest: it follows this in the description. */
const LEGACY_DIGEST = " digest ";

function isOnChain(item: Placed): item is Placed & { receipt: { place: ChainPlace } } {
  return item.receipt.place.kind === "chain";
}

export async function checkTransactionIds(
  { steps }: Subject,
  { transactions }: EntryDocument,
): Promise<void> {
  if (transactions.length === 0) {
    steps.skipped("transaction_id", "in_a_local_ledger");
    return;
  }
  for (const [number, transaction] of transactions.entries()) {
    const wrong = await transactionWrong(transaction);
    if (wrong) {
      const field = `transactions[${number}].${wrong.field}`;
      steps.failed("transaction_id", { ...wrong, field }, { member: ENTRY });
      return;
    }
  }
  const isSettled = transactions.every(
    ({ block_id, block_number }) => block_id !== null || block_number === null,
  );
  if (isSettled) steps.passed("transaction_id", String(transactions.length));
  else steps.skipped("transaction_id", "not_irreversible");
}

async function transactionWrong(transaction: Transaction): Promise<Violation | null> {
  const { packed_transaction, transaction_id, block_id, block_number } = transaction;
  if (hex(await sha256(unhexed(packed_transaction))) !== transaction_id) {
    return { why: "other_transaction_id", field: "transaction_id" };
  }
  if (block_id !== null && block_number === null) return { why: "half_a_block", field: "block_id" };
  if (block_id !== null && Number.parseInt(block_id.slice(0, BLOCK_NUMBER_DIGITS), 16) !== block_number) {
    return { why: "other_block_number", field: "block_id" };
  }
  return null;
}

export function checkActions(subject: Subject, { transactions }: EntryDocument, placed: Placed[]): void {
  const { steps } = subject;
  const isBroken = steps.outcome("transaction_id") === "fail" || steps.outcome("entry") === "fail";
  if (transactions.length === 0 || isBroken) {
    steps.skipped("action", transactions.length === 0 ? "no_transaction" : "entry_does_not_hold");
    return;
  }
  const unpacked: PackedAction[][] = [];
  for (const [number, transaction] of transactions.entries()) {
    const actions = orNothing(() => actionsOf(transaction.packed_transaction));
    if (!actions) {
      const field = `transactions[${number}].packed_transaction`;
      steps.failed("action", { why: "no_transaction_bytes", field }, { member: ENTRY });
      return;
    }
    unpacked.push(actions);
  }
  for (const { path, receipt, number } of placed.filter(isOnChain)) {
    const { place, entry } = receipt;
    const stated = transactions[place.transaction] as Transaction;
    const actions = unpacked[place.transaction] ?? [];
    const wrong =
      actionWrong(entry, place.action_index, stated, actions) ?? timeWrong(receipt.recorded_at, stated);
    if (wrong) {
      failAt(subject, "action", ENTRY, { ...wrong, field: `${path}.${wrong.field}`, number });
      return;
    }
  }
  if (unpacked.flat().some((action) => isLegacy(action))) steps.skipped("action", "legacy_contract");
  else steps.passed("action", String(placed.length));
}

/** A block takes a transaction in the hour before it expires. */
function timeWrong(recorded: string, { packed_transaction }: Transaction): Violation | null {
  const [seconds = "", fraction = ""] = recorded.replace("Z", "").split(".");
  const at = Date.parse(`${seconds}Z`) / 1000 + Number(`0.${fraction || 0}`);
  const before = expirationOf(packed_transaction) - at;
  const isTimely = before >= 0 && before <= LONGEST_LIFETIME_S;
  return isTimely ? null : { why: "other_time", field: "recorded_at" };
}

function isLegacy(action: PackedAction): boolean {
  return !orNothing(() => entryOf(action)) && orNothing(() => legacyOf(action)) !== null;
}

function actionWrong(
  entry: Entry,
  place: number,
  stated: Transaction,
  actions: PackedAction[],
): Violation | null {
  const field = "place.action_index";
  const action = actions[place];
  if (!action) return { why: "too_few_actions", facts: [String(actions.length)], field };
  const recorded = orNothing(() => entryOf(action)) ?? orNothing(() => legacyOf(action));
  if (!recorded) return { why: "no_entry_in_action", field };
  if (action.account !== stated.contract || recorded.creator !== stated.creator) {
    return {
      why: "other_account",
      facts: [recorded.creator, action.account, stated.creator, stated.contract],
      field,
    };
  }
  if ("legacy" in recorded) {
    const { action, testid, description, results, run_digest } = entry;
    const expected = [action, testid, `${description}${LEGACY_DIGEST}${run_digest}`, results];
    const isSame = JSON.stringify(recorded.legacy) === JSON.stringify(expected);
    return isSame ? null : { why: "action_differs", facts: ["description"], field };
  }
  const other = otherField(recorded.entry, entry);
  return other === null ? null : { why: "action_differs", facts: [other], field };
}

function orNothing<T>(unpack: () => T): T | null {
  try {
    return unpack();
  } catch (refused) {
    if (refused instanceof NotPacked) return null;
    throw refused;
  }
}
