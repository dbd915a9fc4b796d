import { Checksum256, Signature, Transaction } from "@wharfkit/session";
import { beforeEach, expect, test, vi } from "vitest";
import { Wallet } from "./kit";
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
