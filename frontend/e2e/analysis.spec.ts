import type { Page } from "@playwright/test";
import { expect, expectAccessible, expectToFit, test } from "./fixtures";
import { studyArchive } from "./sheets";
import { finishedSweep, loadExample } from "./sweeps";

const NARROW = 360;

test("result sheets are audited, analysed by a procedure, and deleted", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Analysis" }).click();

  await test.step("what is no sheet is refused in a sentence", async () => {
    const drop = page.locator("input[type=file]");
    await drop.setInputFiles({ name: "notes.zip", mimeType: "application/zip", buffer: Buffer.from("x") });
    await page.getByRole("button", { name: "Import 1 file" }).click();
    await expect(page.getByRole("alert")).toContainText("notes.zip");
    await expectAccessible(page);
    await expectToFit(page, NARROW);
    await page.getByRole("button", { name: "Choose others" }).click();
  });

  await test.step("the audit comes before any number", async () => {
    const drop = page.locator("input[type=file]");
    await drop.setInputFiles({ name: "study.zip", mimeType: "application/zip", buffer: studyArchive() });
    await page.getByRole("button", { name: "Import 1 file" }).click();
    await expect(page).toHaveURL(/\/analysis\/imports\//, { timeout: 60_000 });
    await expect(page.getByText("4 sheets with 57 rows and 14 distinct questions.")).toBeVisible();
    const audit = page.getByRole("table", { name: "Audit" });
    await expect(
      audit.getByRole("row", { name: /more than once|twice|doubl|repeat/i }).first(),
    ).toBeVisible();
  });

  await test.step("figures and tables follow, by the procedure that the address names", async () => {
    await expect(page.getByRole("region", { name: /CPS by/ })).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole("region", { name: "Tables" })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
    await page.getByRole("combobox", { name: "Procedure" }).click();
    await page.getByRole("option", { name: /as the thesis computed it/ }).click();
    await expect(page).toHaveURL(/procedure=published/);
    await expect(page.getByText(/for replication only/)).toBeVisible();
    await expect(page.getByRole("region", { name: "Tables" })).toBeVisible({ timeout: 60_000 });
    const link = page.getByRole("link", { name: "Save the report" });
    await expect(link).toHaveAttribute("href", /procedure=published/);
  });

  await test.step("it is listed, and deleted by its name", async () => {
    const name = (await page.getByRole("heading", { level: 1 }).textContent()) ?? "";
    await page.getByRole("main").getByRole("link", { name: "Analysis" }).click();
    await page.getByRole("table", { name: "Imported sheets" }).getByRole("link", { name }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox").fill(name);
    await dialog.getByRole("button", { name: "Delete" }).click();
    await expect(page).toHaveURL(/\/analysis$/);
    await expect(page.getByRole("table", { name: "Imported sheets" })).toBeHidden();
  });
});

test("an analysis is pinned to the constants of another, and to those of a file", async ({ page }) => {
  const wide = await importStudy(page, "wide", 1);
  const narrow = await importStudy(page, "narrow", 0.5);
  await page.goto(`/analysis/imports/${narrow}`);
  const constants = page.getByRole("region", { name: "Constants" });
  const tables = page.getByRole("region", { name: "Tables" });
  const source = constants.getByRole("combobox", { name: "Minimum and maximum" });
  await expect(constants.getByText("Scope all: CPS relative to all 4 sheets; 57 rows here.")).toBeVisible();

  await test.step("to another analysis, by its id in the address", async () => {
    await source.click();
    await page.getByRole("option", { name: "Of another analysis" }).click();
    await constants.getByRole("combobox", { name: "Analysis", exact: true }).click();
    await page.getByRole("option", { name: `wide (${wide})` }).click();
    await expect(page).toHaveURL(new RegExp(`constants=${wide}`));
    const basis = `Scope given: CPS relative to constants of import wide (${wide}), 57 rows; 57 rows here.`;
    await expect(constants.getByText(basis)).toBeVisible();
    await expect(tables.getByText(basis)).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole("link", { name: "Save the report" })).toHaveAttribute(
      "href",
      new RegExp(`constants=${wide}`),
    );
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("the same from the file that was saved, also after the page is opened again", async () => {
    const saving = page.waitForEvent("download");
    await constants.getByRole("link", { name: /Save these constants/ }).click();
    const saved = await (await saving).path();
    await source.click();
    await page.getByRole("option", { name: "Of this pool" }).click();
    await expect(page).not.toHaveURL(/constants=/);
    await source.click();
    await page.getByRole("option", { name: "From a file" }).click();
    await constants.locator("input[type=file]").setInputFiles(saved);
    await expect(page).toHaveURL(/constants=.*METEOR/);
    await page.reload();
    await expect(
      tables.getByText(`Scope given: CPS relative to constants of import wide (${wide})`),
    ).toBeVisible({
      timeout: 60_000,
    });
  });

  await test.step("what holds no constants, or others than these scores need, is refused in a sentence", async () => {
    const file = constants.locator("input[type=file]");
    await file.setInputFiles({ name: "notes.json", mimeType: "application/json", buffer: Buffer.from("{}") });
    await expect(constants.getByRole("alert")).toContainText("There are no constants in notes.json");
    await page.goto(`/analysis/imports/${narrow}?procedure=published-phase2&constants=${wide}`);
    await expect(page.getByRole("alert").first()).toContainText("constants");
  });
});

test("how a sweep is analysed is decided on its page and stands in the address", async ({ page }) => {
  await loadExample(page.request);
  const id = await finishedSweep(page.request, "Decided");
  await page.goto(`/analysis/sweeps/${id}`);
  const decisions = page.getByRole("region", { name: "How it is analysed" });
  await expect(decisions.getByText("controlled: only retrieval differs")).toBeVisible({ timeout: 60_000 });
  await expect(page).not.toHaveURL(/scope=|panel=/);
  await expectAccessible(page);
  await expectToFit(page, NARROW);

  await test.step("pools of each run say that nothing compares", async () => {
    await decisions.getByRole("combobox", { name: "Pools" }).click();
    await page.getByRole("option", { name: "Each run by itself" }).click();
    await expect(page).toHaveURL(/scope=run/);
    await expect(decisions.getByText(/Scope run: each run has constants of its own/)).toBeVisible({
      timeout: 60_000,
    });
    await expect(page.getByRole("link", { name: "Save the report" })).toHaveAttribute("href", /scope=run/);
  });

  await test.step("the default leaves the address again", async () => {
    await decisions.getByRole("combobox", { name: "Pools" }).click();
    await page.getByRole("option", { name: "All runs together" }).click();
    await expect(page).not.toHaveURL(/scope=/);
    await expect(decisions.getByText("controlled: only retrieval differs")).toBeVisible({ timeout: 60_000 });
  });
});

async function importStudy(page: Page, name: string, factor: number): Promise<string> {
  const answer = await page.request.post("/api/v1/imports", {
    multipart: {
      name,
      files: { name: "study.zip", mimeType: "application/zip", buffer: studyArchive(factor) },
    },
  });
  const { status_url: job } = await answer.json();
  let id = "";
  await expect
    .poll(async () => (id = (await (await page.request.get(job)).json()).result?.id ?? ""), {
      timeout: 60_000,
    })
    .toMatch(/^sheets-/);
  return id;
}
