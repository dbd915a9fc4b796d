/** A prepared transaction as the server makes one, for tests; the packing is the contract's, the key a fresh one. */
import { readFileSync } from "node:fs";
import { ABI, Action, PrivateKey, Serializer, Transaction } from "@wharfkit/session";
import type { OpenChain, Prepared } from "./types";

/** Tests run in the folder `frontend`. */
const ABI_FILE = "../contracts/llmtest/llmtest.abi";
const LATER_MS = 600_000;

export const CHAIN: OpenChain = {
  id: "8a34ec7df1b8cd06ff4a8abbaa7cc50300823350cadc59ab296cb00d104d2b8f",
  urls: ["http://127.0.0.1:8888"],
  contract: "llmtest",
  abi: JSON.parse(readFileSync(ABI_FILE, "utf8")),
  relay: "http://127.0.0.1:9",
};
export const SIGNER = { account: "researcher1", permission: "active", by: "key" } as const;
export const KEY = PrivateKey.generate("K1");

interface Sample {
  creator?: string;
  actor?: string;
  account?: string;
  name?: string;
  runs?: string[];
  expires?: Date;
}

/** One row for each of the runs. */
export function prepared({
  creator = SIGNER.account,
  actor = SIGNER.account,
  account = CHAIN.contract,
  name = "addtest",
  runs = ["aaaa", "aaaa", "bbbb"],
  expires = new Date(Date.now() + LATER_MS),
}: Sample = {}): Prepared {
  const authorization = [{ actor, permission: "active" }];
  const row = {
    creator,
    testid: "abc",
    results: [0.5],
    run_digest: "00".repeat(32),
    config_digest: "11".repeat(32),
  };
  const actions = runs.map((run, place) => {
    const data = { ...row, description: `run ${run} question ${place}` };
    return Action.from({ account, name, authorization, data }, ABI.from(CHAIN.abi as { version: string }));
  });
  const expiration = expires.toISOString().slice(0, 19);
  const header = { expiration, ref_block_num: 7, ref_block_prefix: 9, max_net_usage_words: 0 };
  const transaction = Transaction.from({ ...header, max_cpu_usage_ms: 0, delay_sec: 0, actions });
  return {
    id: String(transaction.id),
    chain_id: CHAIN.id,
    contract: CHAIN.contract,
    account: SIGNER.account,
    permission: SIGNER.permission,
    transaction: JSON.parse(JSON.stringify(transaction)),
    packed: Serializer.encode({ object: transaction }).hexString,
    expires_at: expires.toISOString(),
    entries: runs.length,
    run_ids: [...new Set(runs)],
    waiting: 0,
  };
}
