import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { APIRequestContext, Page } from "@playwright/test";
import { STEPS } from "../src/verify/steps";
import { expect, expectAccessible, expectStillAccessible, expectToFit, test } from "./fixtures";
import { PYTHON, ROOT, Server } from "./server";
import { EXAMPLE, finishedSweep, loadExample } from "./sweeps";

const NARROW = 360;
/** A run of 13 questions, recorded in a local ledger, as its bundle; the same with one id changed, and with proofs. */
const MAKE = `
import sys
from pathlib import Path
from tests.bundles import MadeRun
from tests.proofs import with_proofs
whole = MadeRun(questions=13).bundle("local")
folder = Path(sys.argv[1])
(folder / "whole.zip").write_bytes(whole)
(folder / "changed.zip").write_bytes(whole.replace(b"q-0009", b"q-0x09", 1))
(folder / "proved.zip").write_bytes(with_proofs(whole, row=16))
`;

function makeBundles(folder: string): { whole: string; changed: string; proved: string } {
  execFileSync(PYTHON, ["-c", MAKE, folder], { cwd: ROOT, env: { ...process.env, PYTHONPATH: ROOT } });
  return {
    whole: join(folder, "whole.zip"),
    changed: join(folder, "changed.zip"),
    proved: join(folder, "proved.zip"),
  };
}

/** Drop a file on the place for it, as from a folder of the machine. */
async function drop(page: Page, path: string, name: string): Promise<void> {
  const content = readFileSync(path).toString("base64");
  const dropped = await page.evaluateHandle(
    ({ content, name }) => {
      const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], name, { type: "application/zip" }));
      return transfer;
    },
    { content, name },
  );
  const place = page.getByText("Drop a bundle or study here, or choose a file");
  await place.dispatchEvent("dragenter", { dataTransfer: dropped });
  await place.dispatchEvent("drop", { dataTransfer: dropped });
}

test("a bundle is verified in the browser, and a changed one is not, with its question", async ({
  page,
}, testInfo) => {
  const bundles = makeBundles(testInfo.outputPath());
  await page.goto("/");
  await page.getByRole("link", { name: "Audit" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Audit" })).toBeVisible();
  const posted: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") posted.push(request.url());
  });

  await drop(page, bundles.whole, "whole.zip");
  await expect(page.getByText("whole.zip: all 13 question records match their digests.")).toBeVisible();
  const steps = page.getByRole("table", { name: "Checks" });
  // The nine checks that need a blockchain have one reason, and so one row.
  await expect(steps.getByRole("row")).toHaveCount(STEPS.length + 1 - 8);
  await expect(steps.getByRole("row", { name: /The question records match the root/ })).toContainText(
    "passed",
  );
  await expect(steps.getByRole("row", { name: /signed by its creator/ })).toContainText("not checked");
  await expect(steps.getByText("failed", { exact: true })).toHaveCount(0);
  await expectAccessible(page);
  await expectToFit(page, NARROW);

  await page.locator("input[type=file]").setInputFiles(bundles.changed);
  const verdict = page.getByRole("alert").filter({ hasText: "Not verified" });
  await expect(verdict).toContainText("changed.zip");
  const root = steps.getByRole("row", { name: /The question records match the root/ });
  await expect(root).toContainText("failed");
  await expect(root).toContainText("Question 10: q-0009");
  await expectAccessible(page);
  await expectToFit(page, NARROW);
  expect(posted).toEqual([]);

  await test.step("checkpoint, key and time stamps are shown, with what somebody else must confirm", async () => {
    await page.locator("input[type=file]").setInputFiles(bundles.proved);
    await expect(page.getByText("proved.zip: all 13 question records match their digests.")).toBeVisible();
    const inLedger = steps.getByRole("row", { name: /in the ledger at its signed checkpoint/ });
    await expect(inLedger).toContainText("passed");
    const fact = (name: string) =>
      page.getByText(name, { exact: true }).locator("xpath=following-sibling::*[1]");
    await expect(fact("Ledger checkpoint")).toHaveText(/^\S+, \d+ rows$/);
    await expect(fact("Ledger key (compare it with the published one)")).toHaveText(
      /^\S+\+[0-9a-f]{8}\+\S+$/,
    );
    await expect(fact("Time stamps")).toContainText("Test authority");
    // Nobody but the reader knows whether this authority can be trusted.
    const stamped = steps.getByRole("row", { name: /A time stamp authority saw/ });
    await expect(stamped).toContainText("not checked");
    await expect(stamped).toContainText("--roots");
    await expectStillAccessible(page);
    await expectToFit(page, NARROW);
  });
});

test("what is no bundle is said, and the ledger says what it proves", async ({ page }) => {
  await page.goto("/audit");
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("a text") });
  await expect(page.getByRole("alert")).toContainText("Not a bundle");
  const ledger = page.getByRole("region", { name: "Ledger of this installation" });
  await expect(ledger).toContainText("Does not prove");
  await expect(ledger).toContainText("one operator keeps it. Publish the head elsewhere");
  await page.getByLabel("Run ID", { exact: true }).fill("no-such-run");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/run=no-such-run/);
  await expect(page.getByRole("region", { name: "Entries of a run" }).getByRole("alert")).toContainText(
    "Not found",
  );
  await expectAccessible(page);
  await expectToFit(page, NARROW);
});

test("the bundle of a run that was made here is verified, and its entries are listed", {
  tag: "@soak",
}, async ({ page, request }) => {
  await loadExample(request);
  const sweep = await finishedSweep(request, "To be checked");
  const { runs } = await (await request.get(`/api/v1/sweeps/${sweep}`)).json();
  const { id } = runs[0];
  const bundle = await (await request.get(`/api/v1/runs/${id}/bundle`)).body();
  await page.goto("/audit");
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "run.zip", mimeType: "application/zip", buffer: bundle });
  await expect(page.getByText("run.zip: all 8 question records match their digests.")).toBeVisible();
  await page.getByRole("link", { name: "Find this run in the ledger" }).click();
  const entries = page.getByRole("table", { name: "Entries of a run" });
  await expect(entries.getByRole("row", { name: /question/ })).toHaveCount(8);
  await expect(entries.getByRole("row", { name: `run ${id} recorded`, exact: false })).toBeVisible();

  await test.step("the entries of all runs are found by run and day, and the address holds how", async () => {
    const rows = page.getByRole("table", { name: "Ledger entries" });
    const filters = page.getByRole("form", { name: "Entry filter" });
    await filters.getByLabel("Run ID or short name").fill(id);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`of=${id}`));
    await expect(rows.getByRole("row")).toHaveCount(1 + 9);
    await filters.getByLabel("To").fill("2020-01-01");
    await filters.getByRole("button", { name: "Find" }).click();
    await expect(page.getByText("No entries match.")).toBeVisible();
    await page.reload();
    await expect(filters.getByLabel("To")).toHaveValue("2020-01-01");
    await filters.getByRole("button", { name: "Show all" }).click();
    await expect(rows.getByRole("row", { name: /question/ }).first()).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("the whole sweep is published, saved and verified", async () => {
    await page.goto(`/sweeps/${sweep}`);
    // What stands above the form moves it when it comes.
    await expect(page.getByRole("heading", { name: "Verdict", exact: true })).toBeVisible();
    await expect(page.getByRole("table", { name: "Results" })).toBeVisible();
    await page.getByText("Publish this sweep").click();
    const form = page.getByRole("region", { name: "Publish this sweep" });
    await form.getByLabel("Title").fill("Thresholds");
    await form.getByLabel("Authors").fill("Ada Lovelace; Alan Turing");
    await form.getByRole("checkbox", { name: /^Include prompts/ }).check();
    await form.getByRole("button", { name: "Publish study" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Publish study" }).click();
    await expect(form.getByText("Study published")).toBeVisible();
    const saving = page.waitForEvent("download");
    await form.getByRole("link", { name: "Save study" }).click();
    const path = await (await saving).path();
    expect(readFileSync(path).includes(Buffer.from("prompts.jsonl"))).toBe(true);
    await expectAccessible(page);
    await expectToFit(page, NARROW);
    await page.goto("/audit");
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "study.zip", mimeType: "application/zip", buffer: readFileSync(path) });
    const steps = page.getByRole("table", { name: "Checks" });
    await expect(steps.getByRole("row", { name: /Every cell of table.csv/ })).toContainText("passed");
    await expect(steps.getByRole("row", { name: /ledger row matches study.json/ })).toContainText("passed");
    await expect(page.getByText("Runs in the table", { exact: true })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("published without texts, it is still verified, and says what nobody can check", async () => {
    await page.goto(`/sweeps/${sweep}`);
    await expect(page.getByRole("table", { name: "Results" })).toBeVisible();
    await page.getByText("Publish this sweep").click();
    const form = page.getByRole("region", { name: "Publish this sweep" });
    await expect(form.getByText("Published before")).toBeVisible();
    await expect(form.getByRole("link", { name: "Thresholds", exact: true })).toBeVisible();
    await form.getByRole("checkbox", { name: "Include questions, references and answers" }).uncheck();
    await form.getByRole("button", { name: "Publish study" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Publish study" }).click();
    await expect(form.getByText("Study published")).toBeVisible();
    const saving = page.waitForEvent("download");
    await form.getByRole("link", { name: "Save study" }).click();
    const content = readFileSync(await (await saving).path());
    // As it stands in the example.
    expect(bundle.includes(Buffer.from("Convention on Biological Diversity"))).toBe(true);
    expect(content.includes(Buffer.from("Convention on Biological Diversity"))).toBe(false);
    await page.goto("/audit");
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "bare.zip", mimeType: "application/zip", buffer: content });
    const steps = page.getByRole("table", { name: "Checks" });
    await expect(steps.getByRole("row", { name: /Every cell of table.csv/ })).toContainText("passed");
    await expect(steps.getByRole("row", { name: /scores follow from the recorded texts/ })).toContainText(
      "texts of questions and answers are withheld",
    );
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });
});

test("a row of the published contract is shown as what it is", async ({ page }) => {
  // What such a chain answers; reading it from a real one is tested with the chain client.
  const row = {
    id: "addtest:7",
    action: "addtest",
    account: "researcher11",
    testid: "mistral15",
    recorded_at: "2024-06-01T10:00:00Z",
    description: "an old test",
    results: [0.5, null],
    authenticated: false,
  };
  await page.route(/\/ledger\/entries/, (route) => route.fulfill({ json: { items: [row], next: null } }));
  await page.goto("/audit");
  const shown = page.getByRole("table", { name: "Ledger entries" }).getByRole("row", { name: /an old test/ });
  await expect(shown).toContainText("legacy, not authenticated");
  await expect(shown).toContainText("researcher11");
  await expect(shown).toContainText("mistral15");
});

/** A run of so many evaluations that share one answer; its id. */
async function longRun(request: APIRequestContext, questions: number): Promise<string> {
  const rows = Array.from({ length: questions }, (_, number) => ({
    id: `q${number}`,
    question: "What is biodiversity?",
    reference: "The variety of life.",
  }));
  const file = { name: "many.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(rows)) };
  const taken = await request.post("/api/v1/datasets", { multipart: { file, name: "many" } });
  expect(taken.status()).toBe(201);
  const created = await request.post("/api/v1/runs", {
    data: { name: "Many", config: { dataset: "many", collection: EXAMPLE } },
  });
  expect(created.status()).toBe(201);
  const { id } = await created.json();
  const state = async () => (await (await request.get(`/api/v1/runs/${id}`)).json()).state;
  await expect.poll(state, { timeout: 90_000 }).toBe("finished");
  return id;
}

test("entries that wait say why, page by page", { tag: "@soak" }, async ({ page, playwright }) => {
  // A chain that does not answer: what is finished waits.
  const server = new Server({
    settings: {
      PASSER_LEDGER: "antelope",
      PASSER_CHAIN_URLS: "http://127.0.0.1:9",
      PASSER_CHAIN_CONTRACT: "llmtest",
    },
  });
  try {
    await server.start();
    const request = await playwright.request.newContext({ baseURL: server.address });
    await loadExample(request);
    const id = await longRun(request, 120);
    await page.goto(`${server.address}/audit?run=${id}`);
    const panel = page.getByRole("region", { name: "Entries of a run" });
    const rows = panel.getByRole("table", { name: "Entries of a run" }).getByRole("row");
    await expect(panel.getByText(/^Waiting: \S+/)).toBeVisible();
    await expect(rows).toHaveCount(1 + 100);
    await expect(rows.nth(1)).toContainText("waiting");
    const first = await rows.nth(1).textContent();
    await panel.getByRole("button", { name: "Next page" }).click();
    await expect(page).toHaveURL(/after=/);
    // 120 questions and the run itself.
    await expect(rows).toHaveCount(1 + 21);
    await expect(rows.nth(1)).not.toHaveText(first ?? "");
    await page.reload();
    await expect(rows).toHaveCount(1 + 21);
    await panel.getByRole("button", { name: "First page" }).click();
    await expect(rows.nth(1)).toHaveText(first ?? "");
    await expectToFit(page, NARROW);
    await request.dispose();
  } finally {
    await server.stop();
    server.remove();
  }
});
