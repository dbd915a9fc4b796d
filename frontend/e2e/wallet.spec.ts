import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type APIRequestContext, expect, type Page, test } from "@playwright/test";
import { type Checksum256, PrivateKey, Transaction } from "@wharfkit/session";
import { Anchor } from "./anchor";
import { Chain } from "./chain";
import { expectAccessible, expectStillAccessible, expectToFit } from "./fixtures";
import { ModelServer } from "./model-server";
import { Relay } from "./relay";
import { Server } from "./server";
import { EXAMPLE, loadExample } from "./sweeps";

const NARROW = 360;
/** Questions of a run, and its own row. */
const ROWS = 9;
const RUNS = 7;
const ANSWERED_MS = 90_000;
const PASSWORD = "correct horse battery";
const PREPARE = "**/api/v1/ledger/transactions";

const chain = new Chain();
const relay = new Relay();
const models = new ModelServer();
let server: Server;
let request: APIRequestContext;
/** Ids of finished runs; each test takes one of its own. */
let runs: string[] = [];

async function finishedRuns(): Promise<string[]> {
  const config = { dataset: EXAMPLE, collection: EXAMPLE, questions: ROWS - 1 };
  // No passage is so similar: what is recorded is as long, and nothing has to be read or written for it.
  const axes = { min_similarity: [0.9, 0.91, 0.92, 0.93, 0.94, 0.95] };
  const data = { name: "To be signed", config, axes, baseline: { mode: "normal", k: 10 } };
  const { id } = await (await request.post("/api/v1/sweeps", { data })).json();
  const found = async () => (await request.get(`/api/v1/sweeps/${id}`)).json();
  await expect.poll(async () => (await found()).state, { timeout: ANSWERED_MS }).toBe("finished");
  return (await found()).runs.map((run: { id: string }) => run.id);
}

test.describe.configure({ mode: "serial" });

test.beforeAll(async ({ playwright }) => {
  const [missing] = await Promise.all([chain.start(), relay.start(), models.start()]);
  test.skip(missing !== null, missing ?? "");
  server = new Server({
    models: models.address,
    settings: {
      PASSER_LEDGER: "antelope",
      PASSER_CHAIN_URLS: chain.url,
      PASSER_CHAIN_CONTRACT: chain.contract,
      PASSER_WALLET_RELAY: relay.address,
    },
  });
  await server.start();
  request = await playwright.request.newContext({ baseURL: server.address });
  await loadExample(request);
  runs = await finishedRuns();
  expect(runs).toHaveLength(RUNS);
});

test.afterAll(async () => {
  await request?.dispose();
  await server?.stop();
  server?.remove();
  await Promise.all([chain.stop(), relay.stop(), models.stop()]);
});

const sign = (page: Page, count: number) => page.getByRole("button", { name: `Sign ${count} entries` });
const refusal = (page: Page) => page.getByRole("alert").filter({ hasText: "Not signed" });
const runAt = (place: number) => runs[place] ?? "";

/** The form for a key of the test chain, filled in and sent. */
async function signInWithKey(page: Page, account: string, key: string): Promise<void> {
  await page.getByText("Test blockchain: sign with a key").click();
  const form = page.getByRole("form", { name: "Test blockchain: sign with a key" });
  await form.getByLabel("Account", { exact: true }).fill(account);
  await form.getByLabel("Private key of the test account").fill(key);
  await page.keyboard.press("Enter");
}

/** From the page of a run's entries to what is to be signed. */
async function toReview(page: Page, run: string, account: string, key: string): Promise<void> {
  await page.goto(`${server.address}/audit?run=${run}`);
  await sign(page, ROWS).click();
  await signInWithKey(page, account, key);
}

/** Paths and bodies of whatever the page sends to the server from now on. */
function sentBy(page: Page): { method: string; url: string; body: string }[] {
  const sent: { method: string; url: string; body: string }[] = [];
  page.on("request", (one) => {
    sent.push({ method: one.method(), url: one.url(), body: one.postData() ?? "" });
  });
  return sent;
}

/** From now on people sign in. */
function addAccount(name: string): void {
  const file = join(server.home, "password");
  writeFileSync(file, PASSWORD);
  server.run("users", "add", name, "--role", "admin", "--password-file", file);
}

function describedBy(run: string): (row: { description: string }) => boolean {
  return ({ description }) => description.startsWith(`run ${run}`);
}

test("a foreign key is refused, and the page says which", async ({ page }) => {
  await toReview(page, runAt(0), "researcher1", chain.keyOf("stranger"));
  const review = page.getByRole("region", { name: "Transaction to sign" });
  await expect(review).toContainText("researcher1@active");
  await expect(review).toContainText(`run ${runAt(0)}: ${ROWS}`);
  await expectAccessible(page);
  await expectToFit(page, NARROW);
  await page.getByRole("button", { name: "Sign transaction" }).click();
  await expect(refusal(page)).toContainText(chain.publicKeyOf("stranger"));
  await expect(refusal(page)).toContainText("researcher1");
  await expectStillAccessible(page);
  expect(await chain.rows()).toEqual([]);
});

test("a transaction that was changed on its way is not signed", async ({ page }) => {
  const sent = sentBy(page);
  await page.route(PREPARE, async (route) => {
    const reply = await route.fetch();
    const prepared = await reply.json();
    const [action] = prepared.transaction.actions;
    action.data = `${action.data.slice(0, -1)}${action.data.endsWith("0") ? "1" : "0"}`;
    await route.fulfill({ response: reply, json: prepared });
  });
  await toReview(page, runAt(0), "researcher1", chain.keyOf("researcher1"));
  await expect(refusal(page)).toContainText("does not match its ID");
  await expect(page.getByRole("button", { name: "Sign transaction" })).toHaveCount(0);
  await expect.poll(() => sent.filter(({ method }) => method === "DELETE")).toHaveLength(1);
  expect(sent.filter(({ url }) => url.endsWith("/signatures"))).toEqual([]);
});

test("a row for somebody else is not signed", async ({ page }) => {
  await page.route(PREPARE, (route) =>
    route.continue({ postData: JSON.stringify({ account: "researcher1", run_id: runAt(0) }) }),
  );
  await toReview(page, runAt(0), "researcher2", chain.keyOf("researcher2"));
  await expect(refusal(page)).toContainText("researcher1@active");
  expect(await chain.rows()).toEqual([]);
});

test("the server takes no signature over other bytes, and none from somebody else", async () => {
  const data = { account: "researcher1", run_id: runAt(0) };
  const prepared = await (await request.post("/api/v1/ledger/transactions", { data })).json();
  const signed = async (account: string, digest: Checksum256) => {
    const signature = PrivateKey.from(chain.keyOf("researcher1")).signDigest(digest);
    const reply = await request.post(`/api/v1/ledger/transactions/${prepared.id}/signatures`, {
      data: { account, signatures: [String(signature)] },
    });
    return { status: reply.status(), type: (await reply.json()).type };
  };
  const transaction = Transaction.from(prepared.transaction);
  const digest = transaction.signingDigest(chain.chainId);
  const other = Transaction.from({ ...prepared.transaction, max_cpu_usage_ms: 9 }).signingDigest(
    chain.chainId,
  );
  expect(await signed("researcher1", other)).toEqual({ status: 403, type: "urn:passer:signing:foreign-key" });
  expect(await signed("researcher2", digest)).toEqual({
    status: 403,
    type: "urn:passer:signing:other-account",
  });
  expect((await request.delete(`/api/v1/ledger/transactions/${prepared.id}`)).status()).toBe(204);
  expect(await chain.rows()).toEqual([]);
});

test("a run's entries are signed with a key, which goes nowhere", async ({ page }) => {
  const key = chain.keyOf("researcher1");
  const sent = sentBy(page);
  await toReview(page, runAt(0), "researcher1", key);
  await page.getByRole("button", { name: "Sign transaction" }).click();
  await expect(page.getByRole("status").filter({ hasText: "9 entries are on the blockchain" })).toBeVisible();
  const entries = page.getByRole("table", { name: "Entries of a run" });
  await expect(entries.getByRole("row", { name: /recorded|in a reversible block/ })).toHaveCount(ROWS);
  const rows = await chain.rows();
  expect(rows.filter(describedBy(runAt(0)))).toHaveLength(ROWS);
  expect(new Set(rows.map(({ userid }) => userid))).toEqual(new Set(["researcher1"]));

  const kept = () => page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(await kept()).not.toContain(key);
  expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toContain(key);
  expect(
    await page.evaluate(() => [...document.querySelectorAll("input")].map(({ value }) => value)),
  ).not.toContain(key);
  expect(sent.filter(({ url, body }) => `${url}${body}`.includes(key))).toEqual([]);
  expect(sent.filter(({ url }) => url.startsWith(chain.url))).toEqual([]);
  await page.goto(`${server.address}/settings`);
  await page.getByRole("button", { name: "Open wallet" }).click();
  await expect(page.getByText("Not signed in.")).toBeVisible();
});

test("a run's entries are signed with Anchor, over a relay", async ({ page: first }) => {
  const abi = (await (await request.get("/api/v1/ledger/wallet")).json()).abi;
  const signer = { account: "researcher2", key: chain.keyOf("researcher2") };
  const anchor = new Anchor(relay, { chainId: chain.chainId, contract: chain.contract, abi }, signer);
  await first.goto(`${server.address}/audit?run=${runAt(1)}`);
  await sign(first, ROWS).click();
  await first.getByRole("button", { name: "Sign in with Anchor" }).click();
  const window = first.getByRole("dialog", { name: "Connect with Anchor" });
  await expect(window.getByRole("img", { name: "QR code for Anchor" })).toBeVisible();
  await expectAccessible(first);
  await expectToFit(first, NARROW);
  await anchor.signIn((await window.getByRole("link", { name: "Open Anchor" }).getAttribute("href")) ?? "");
  await expect(first.getByText("Signed in as researcher2@active, with Anchor.")).toBeVisible();

  // The session outlives the page. In the first one the browser goes on asking whether Anchor may be opened.
  const page = await first.context().newPage();
  await first.close();
  await page.goto(`${server.address}/audit?run=${runAt(1)}`);
  await sign(page, ROWS).click();
  await expect(page.getByText("Signed in as researcher2@active, with Anchor.")).toBeVisible();

  // Closed here, declined there: nothing is lost, and the entries wait as before.
  await page.getByRole("button", { name: "Sign transaction" }).click();
  await expect(page.getByRole("dialog", { name: "Sign the transaction in Anchor" })).toBeVisible();
  await expectStillAccessible(page);
  await anchor.asked();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("alert").filter({ hasText: "its entries are still waiting" })).toBeVisible();
  await sign(page, ROWS).click();
  await page.getByRole("button", { name: "Sign transaction" }).click();
  await anchor.decline(await anchor.asked());
  await expect(page.getByRole("alert").filter({ hasText: "its entries are still waiting" })).toBeVisible();

  // All that is left, fifty at a time, with a stop in between.
  const left = (RUNS - 1) * ROWS;
  await page.goto(`${server.address}/settings`);
  await sign(page, left).click();
  await page.getByRole("button", { name: "Sign transaction" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop after this transaction" }).click();
  await anchor.agree(await anchor.asked());
  await expect(page.getByText(`On the blockchain: 50. Waiting: ${left - 50}.`)).toBeVisible();
  await sign(page, left - 50).click();
  await page.getByRole("button", { name: "Sign transaction" }).click();
  await anchor.agree(await anchor.asked());
  await expect(page.getByText("No entries are waiting for a signature.")).toBeVisible();
  const rows = await chain.rows();
  expect(rows).toHaveLength(RUNS * ROWS);
  expect(rows.filter(({ userid }) => userid === "researcher2")).toHaveLength(left);
  await expectAccessible(page);
  await expectToFit(page, NARROW);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByText("Not signed in.")).toBeVisible();
  await page.reload();
  await page.getByRole("button", { name: "Open wallet" }).click();
  await expect(page.getByText("Not signed in.")).toBeVisible();
});

// Signing in by a challenge is proved by the Python tests, and the two ways to a signature by the tests above.
test("a wallet's key is connected to an account, and signs in from then on", { tag: "@soak" }, async ({
  page: first,
}) => {
  addAccount("boss");
  let page = first;
  const table = page.getByRole("table", { name: "Connected sign-ins" });
  const withWallet = () => page.getByRole("button", { name: "Sign in with a wallet" });
  const isIn = () => expect(page.getByRole("link", { name: "Signed in as boss" })).toBeVisible();

  await page.goto(server.address);
  await withWallet().click();
  await signInWithKey(page, "researcher1", chain.keyOf("researcher1"));
  await expect(page.getByRole("alert")).toContainText(chain.publicKeyOf("researcher1"));
  await expectAccessible(page);
  await expectToFit(page, NARROW);

  await page.getByLabel("Account name").fill("boss");
  await page.locator("input[type=password]").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await isIn();
  await page.goto(`${server.address}/account`);
  await page.getByRole("button", { name: "Connect a wallet" }).click();
  await signInWithKey(page, "researcher1", chain.keyOf("researcher1"));
  await expect(table).toContainText(chain.publicKeyOf("researcher1"));
  await page.getByRole("button", { name: "Connect a wallet" }).click();
  await page.getByRole("button", { name: "Sign in with Anchor" }).click();
  const link = page.getByRole("dialog", { name: "Connect with Anchor" }).getByRole("link");
  const signer = { account: "researcher2", key: chain.keyOf("researcher2") };
  const anchor = new Anchor(relay, { chainId: chain.chainId, contract: chain.contract, abi: {} }, signer);
  await anchor.signIn((await link.getAttribute("href")) ?? "");
  await expect(table).toContainText(chain.publicKeyOf("researcher2"));
  await expectAccessible(page);
  await expectToFit(page, NARROW);

  // In the first page the browser goes on asking whether Anchor may be opened.
  page = await first.context().newPage();
  await first.close();
  await page.goto(`${server.address}/account`);
  await page.getByRole("button", { name: "Sign out" }).click();
  await withWallet().click();
  await signInWithKey(page, "researcher1", chain.keyOf("researcher1"));
  await isIn();
});
