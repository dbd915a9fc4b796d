/** What a prepared transaction says, read from its own bytes; nothing else in the reply is used. */
import { ABI, type Action, type AnyTransaction, Checksum256, Transaction } from "@wharfkit/session";
import { Refusal } from "./refusal";
import type { OpenChain, Prepared, SignedIn } from "./types";

const RECORDING = ["addtest", "addtimetest"];
const RUN = /^run (\S+)/;

export interface Review {
  id: string;
  account: string;
  permission: string;
  contract: string;
  chainId: string;
  expires: string;
  rows: number;
  runs: { run: string; rows: number }[];
}

/** Plain JSON as the wallet library takes it: never one of its own objects, of which it signs empty data. */
export function plain({ transaction }: Prepared): AnyTransaction {
  // A copy, since the library fills in what it is given; there are neither context-free actions nor extensions in it.
  return structuredClone(transaction) as AnyTransaction;
}

/** The transaction itself; Refusal where its id, the id of its bytes and the server's are not one and the same. */
function sameTransaction(prepared: Prepared): Transaction {
  let transaction: Transaction;
  let packed: string;
  try {
    transaction = Transaction.from(plain(prepared));
    packed = String(Checksum256.hash(prepared.packed));
  } catch {
    throw new Refusal("other_id");
  }
  if (String(transaction.id) !== prepared.id || packed !== prepared.id) throw new Refusal("other_id");
  return transaction;
}

interface Row {
  creator: string;
  description: string;
}

function rowOf(action: Action, abi: ABI): Row {
  try {
    const { creator, description } = action.decodeData(abi) as unknown as Row;
    return { creator: String(creator), description: String(description) };
  } catch {
    throw new Refusal("not_read");
  }
}

function checkAction(action: Action, chain: OpenChain, { account, permission }: SignedIn): void {
  const called = `${action.account}::${action.name}`;
  if (String(action.account) !== chain.contract || !RECORDING.includes(String(action.name))) {
    throw new Refusal("other_contract", called);
  }
  const levels = action.authorization.map(String);
  const level = `${account}@${permission}`;
  const other = levels.find((one) => one !== level);
  if (levels.length === 0 || other !== undefined) throw new Refusal("other_signer", other ?? called);
}

/** What is about to be signed, in facts for people; Refusal for what this account must not sign. */
export function reviewed(prepared: Prepared, chain: OpenChain, signer: SignedIn, now = new Date()): Review {
  const transaction = sameTransaction(prepared);
  if (prepared.chain_id !== chain.id) throw new Refusal("other_chain", prepared.chain_id);
  const expires = transaction.expiration.toDate();
  if (expires <= now) throw new Refusal("too_late");
  if (transaction.context_free_actions.length > 0)
    throw new Refusal("other_contract", "a context-free action");
  const abi = ABI.from(chain.abi as Parameters<typeof ABI.from>[0]);
  const runs = new Map<string, number>();
  for (const action of transaction.actions) {
    checkAction(action, chain, signer);
    const { creator, description } = rowOf(action, abi);
    if (creator !== signer.account) throw new Refusal("other_creator", creator, signer.account);
    const run = RUN.exec(description)?.[1] ?? description;
    runs.set(run, (runs.get(run) ?? 0) + 1);
  }
  return {
    id: prepared.id,
    account: signer.account,
    permission: signer.permission,
    contract: chain.contract,
    chainId: chain.id,
    expires: expires.toISOString(),
    rows: transaction.actions.length,
    runs: [...runs].map(([run, rows]) => ({ run, rows })),
  };
}
