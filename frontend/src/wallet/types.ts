import type { TransactionToSign, WalletChain, WalletChallenge } from "@/api/types";

/** Where a wallet signs, with all that signing needs. */
export interface OpenChain {
  id: string;
  urls: string[];
  contract: string;
  /** The contract's description, from the server: no node is asked for it. */
  abi: Record<string, unknown>;
  /** Through which Anchor answers. */
  relay: string;
}

/** What a wallet proves its key for. */
export type Challenge = WalletChallenge;

/** An account of a test chain, and its key. */
export interface AccountKey {
  account: string;
  permission: string;
  key: string;
}

/** A transaction of the server that waits for a signature. */
export type Prepared = TransactionToSign;

export interface SignedIn {
  account: string;
  permission: string;
  by: "anchor" | "key";
}

/** The wallet's own relay, where the server names no other. */
export const RELAY = "https://cb.anchor.link";

/** What signing needs; null where nothing is signed in a browser. */
export function openChain(chain: WalletChain): OpenChain | null {
  const { available, chain_id, contract, abi, urls, relay } = chain;
  if (!available || !chain_id || !contract || !abi) return null;
  return { id: chain_id, contract, abi, urls, relay: relay ?? RELAY };
}
