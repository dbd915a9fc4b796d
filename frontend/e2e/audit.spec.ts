import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, expectToFit, test } from "./fixtures";
import { ModelServer } from "./model-server";
import { PYTHON, ROOT, Server } from "./server";
import { finishedSweep, loadExample } from "./sweeps";

const NARROW = 360;
/** A run of 13 questions, recorded in a local ledger, as its bundle; and the same with one id changed. */
const MAKE = `
import sys
from pathlib import Path
from tests.bundles import MadeRun
whole = MadeRun(questions=13).bundle("local")
folder = Path(sys.argv[1])
(folder / "whole.zip").write_bytes(whole)
(folder / "changed.zip").write_bytes(whole.replace(b"q-0009", b"q-0x09", 1))
`;

function makeBundles(folder: string): { whole: string; changed: string } {
  execFileSync(PYTHON, ["-c", MAKE, folder], { cwd: ROOT, env: { ...process.env, PYTHONPATH: ROOT } });
  return { whole: join(folder, "whole.zip"), changed: join(folder, "changed.zip") };
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
  const place = page.getByText("Drop a bundle here, or choose one");
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
  await expect(
    page.getByText("whole.zip: all that 13 questions can show by themselves holds."),
  ).toBeVisible();
  const steps = page.getByRole("table", { name: "What was checked" });
  await expect(steps.getByRole("row")).toHaveCount(23);
  await expect(steps.getByRole("row", { name: /The records lead to the root/ })).toContainText("holds");
  await expect(steps.getByRole("row", { name: /signed by its creator/ })).toContainText("not checked");
  await expect(steps.getByText("fails", { exact: true })).toHaveCount(0);
  await expectAccessible(page);
  await expectToFit(page, NARROW);

  await page.locator("input[type=file]").setInputFiles(bundles.changed);
  const verdict = page.getByRole("alert").filter({ hasText: "Not verified" });
  await expect(verdict).toContainText("changed.zip");
  const root = steps.getByRole("row", { name: /The records lead to the root/ });
  await expect(root).toContainText("fails");
  await expect(root).toContainText("Question 9: q-0009");
  await expectAccessible(page);
  await expectToFit(page, NARROW);
  expect(posted).toEqual([]);
});

test("what is no bundle is said, and the ledger says what it proves", async ({ page }) => {
  await page.goto("/audit");
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("a text") });
  await expect(page.getByRole("alert")).toContainText("This file is no bundle");
  const ledger = page.getByRole("region", { name: "The ledger here" });
  await expect(ledger).toContainText("It does not prove");
  await expect(ledger).toContainText("One operator keeps this ledger");
  await page.getByLabel("Id of the run").fill("no-such-run");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/run=no-such-run/);
  await expect(page.getByRole("region", { name: "Entries of a run" }).getByRole("alert")).toContainText(
    "Not found",
  );
  await expectAccessible(page);
  await expectToFit(page, NARROW);
});

test("the bundle of a run that was made here is verified, and its entries are listed", async ({
  page,
  playwright,
}) => {
  const models = new ModelServer();
  await models.start();
  const server = new Server({ models: models.address });
  try {
    await server.start();
    const request = await playwright.request.newContext({ baseURL: server.address });
    await loadExample(request);
    const { runs } = await (
      await request.get(`/api/v1/sweeps/${await finishedSweep(request, "To be checked")}`)
    ).json();
    const { id } = runs[0];
    const bundle = await (await request.get(`/api/v1/runs/${id}/bundle`)).body();
    await page.goto(`${server.address}/audit`);
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "run.zip", mimeType: "application/zip", buffer: bundle });
    await expect(page.getByText("run.zip: all that 8 questions can show by themselves holds.")).toBeVisible();
    await page.getByRole("link", { name: "Look this run up in the ledger here" }).click();
    const entries = page.getByRole("table", { name: "Entries of a run" });
    await expect(entries.getByRole("row", { name: /question/ })).toHaveCount(8);
    await expect(entries.getByRole("row", { name: `run ${id} recorded`, exact: false })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
    await request.dispose();
  } finally {
    await server.stop();
    server.remove();
    await models.stop();
  }
});
