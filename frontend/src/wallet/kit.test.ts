import {
  Checksum256,
  ResolvedSigningRequest,
  Signature,
  Transaction,
  type WalletPluginSignResponse,
} from "@wharfkit/session";
import { WalletPluginPrivateKey } from "@wharfkit/wallet-plugin-privatekey";
import { beforeEach, expect, test, vi } from "vitest";
import { t } from "@/words";
import { Wallet } from "./kit";
import { Cancelled } from "./refusal";
import { plain } from "./review";
import { CHAIN, KEY, prepared, SIGNER } from "./sample";

beforeEach(() => localStorage.clear());

async function signedInWithKey(): Promise<Wallet> {
  const wallet = new Wallet(CHAIN, () => {});
  await wallet.signInWithKey({ account: SIGNER.account, permission: SIGNER.permission, key: String(KEY) });
  return wallet;
}

test("a key signs exactly the bytes that the server prepared, and asks nobody", async () => {
  const asked = vi.spyOn(globalThis, "fetch");
  const wallet = await signedInWithKey();
  const given = prepared();
  const [signature] = await wallet.sign(given);
  const digest = Transaction.from(plain(given)).signingDigest(Checksum256.from(CHAIN.id));
  expect(String(Signature.from(signature ?? "").recoverDigest(digest))).toBe(String(KEY.toPublic()));
  expect(asked).not.toHaveBeenCalled();
});

/** What a wallet gives back, and over what. */
type Signs = (resolved: ResolvedSigningRequest) => Promise<WalletPluginSignResponse>;

async function refusalOf(signs: Signs): Promise<unknown> {
  const wallet = await signedInWithKey();
  vi.spyOn(WalletPluginPrivateKey.prototype, "sign").mockImplementation(
    (resolved) => signs(resolved) as ReturnType<WalletPluginPrivateKey["sign"]>,
  );
  return wallet.sign(prepared()).catch((error: unknown) => error);
}

test("a wallet that changes the transaction, gives no signature or fails is refused; who declines is not", async () => {
  const altered = async (resolved: ResolvedSigningRequest) => {
    const transaction = Transaction.from({ ...resolved.transaction, max_cpu_usage_ms: 9 });
    const { request, signer, resolvedTransaction, chainId } = resolved;
    const other = new ResolvedSigningRequest(request, signer, transaction, resolvedTransaction, chainId);
    return { signatures: [KEY.signDigest(other.signingDigest)], resolved: other };
  };
  expect(await refusalOf(altered)).toMatchObject({ why: "changed_by_wallet" });
  expect(await refusalOf(async () => ({ signatures: [] }))).toMatchObject({ why: "no_signature" });
  const fails = () => Promise.reject(new Error("The device is locked"));
  expect(await refusalOf(fails)).toMatchObject({ why: "wallet_failed", status: 403 });
  const declines = () => Promise.reject(new Error(t("Declined in Anchor.")));
  expect(await refusalOf(declines)).toBeInstanceOf(Cancelled);
});

test("a key is kept nowhere, and is gone when the user signs out", async () => {
  const wallet = await signedInWithKey();
  await wallet.sign(prepared());
  expect(wallet.signedIn).toEqual(SIGNER);
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain(String(KEY));
  expect(localStorage.length + sessionStorage.length).toBe(0);
  await wallet.signOut();
  expect(wallet.signedIn).toBeNull();
  const next = new Wallet(CHAIN, () => {});
  await next.restore();
  expect(next.signedIn).toBeNull();
});

test("what is kept of another chain, or is broken, signs nobody in", async () => {
  const other = {
    actor: "a",
    permission: "active",
    chain: "00".repeat(32),
    walletPlugin: { id: "anchor", data: {} },
  };
  for (const kept of [JSON.stringify(other), "{", "null"]) {
    localStorage.setItem("wharf-passer-session", kept);
    const wallet = new Wallet(CHAIN, () => {});
    await wallet.restore();
    expect(wallet.signedIn).toBeNull();
  }
});

test("a public chain is known as one", () => {
  const vaulta = "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906";
  expect(new Wallet({ ...CHAIN, id: vaulta }, () => {}).isPublic).toBe(true);
  expect(new Wallet(CHAIN, () => {}).isPublic).toBe(false);
});
