/** The wallet of this page: one at most, loaded when it is first asked for, gone when the page is reloaded. */
import { useSyncExternalStore } from "react";
import { Problem } from "@/api/problem";
import { t } from "@/words";
import type { Wallet } from "./kit";
import type { Prompt } from "./prompts";
import type { OpenChain, SignedIn } from "./types";

interface WalletState {
  wallet: Wallet | null;
  signedIn: SignedIn | null;
  /** What a wallet wants shown. */
  prompt: Prompt | null;
}

let state: WalletState = { wallet: null, signedIn: null, prompt: null };
const listeners = new Set<() => void>();

function change(next: Partial<WalletState>): void {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The wallet as it is now. */
export function useWallet(): WalletState {
  return useSyncExternalStore(subscribe, () => state);
}

/** Whoever is signed in may have changed. */
export function refresh(): void {
  change({ signedIn: state.wallet?.signedIn ?? null });
}

/** Load the wallet library, and find whoever was signed in before. */
export async function openWallet(chain: OpenChain): Promise<void> {
  const { wallet } = state;
  if (wallet?.chain.id === chain.id && wallet.chain.contract === chain.contract) return;
  const kit = await import("./kit").catch(() => {
    throw new Problem(
      0,
      t("Wallet not available"),
      t("The wallet code could not be loaded. Reload the page, then retry."),
    );
  });
  const opened = new kit.Wallet(chain, (prompt) => change({ prompt }));
  await opened.restore();
  change({ wallet: opened, signedIn: opened.signedIn });
}
