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
    await page.getByRole("option", { name: "wide", exact: true }).click();
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

test("from a number of imported sheets to the rows behind it, and from row to row", async ({ page }) => {
  const id = await importStudy(page, "rows", 1);
  await page.goto(`/analysis/imports/${id}?table=tests`);
  const tables = page.getByRole("region", { name: "Tables" });

  await test.step("a row of a table leads to the questions of its sheet", async () => {
    const row = tables.getByRole("row", { name: /mistral 0.6/ });
    await row.getByRole("link", { name: "mistral" }).click({ timeout: 60_000 });
    await expect(page).toHaveURL(/\/questions\?sheet=mistral%2Fthreshold_0\.6\.xlsx/);
    await expect(page.getByText("mistral, threshold 0.6: 15 rows with scores")).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  const rows = page.getByRole("table", { name: "Questions of a sheet" });
  const texts = () => rows.getByRole("rowheader").allTextContents();

  await test.step("the server sorts and filters, and the address says how", async () => {
    await rows.getByRole("columnheader", { name: "METEOR" }).getByRole("button").click();
    await expect(page).toHaveURL(/sort=-METEOR/);
    await expect.poll(async () => (await texts())[0]).toBe("question 12?");
    await page.getByRole("combobox", { name: "Rows shown" }).click();
    await page.getByRole("option", { name: /more than once/ }).click();
    await expect(page).toHaveURL(/only=repeated/);
    await expect.poll(texts).toEqual(["question 3?", "question 3?"]);
    await page.reload();
    await expect.poll(texts).toEqual(["question 3?", "question 3?"]);
  });

  await test.step("a row shows what the sheet holds, and keys lead on in the list’s order", async () => {
    await rows.getByRole("link", { name: "question 3?" }).first().click();
    // The added row, the last of the sheet, has the higher METEOR of the two.
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Row 16");
    await expect(page.getByText("1 of 2 in the list")).toBeVisible();
    await expect(page.getByText("2 rows of this sheet hold this question.")).toBeVisible();
    await expect(page.getByText(/cannot be made again without a reference/)).toBeVisible();
    const scores = page.getByRole("table", { name: "Scores" });
    await expect(scores.getByRole("row", { name: /METEOR/ })).toContainText("0.4000");
    await expectAccessible(page);
    await expectToFit(page, NARROW);
    await page.keyboard.press("j");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Row 5");
    await page.keyboard.press("ArrowLeft");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Row 16");
    await page.keyboard.press("u");
    await expect(page).toHaveURL(/questions\?.*only=repeated/);
    await expect.poll(texts).toEqual(["question 3?", "question 3?"]);
  });

  await test.step("a sheet or a row that is not there is told in a sentence", async () => {
    await page.goto(`/analysis/imports/${id}/questions?sheet=none.xlsx`);
    await expect(page.getByRole("alert")).toContainText("has no sheet 'none.xlsx'");
    await expectAccessible(page);
    await page.getByRole("combobox", { name: "Sheet" }).click();
    await page.getByRole("option", { name: "mistral, threshold 0.6" }).click();
    await expect(page.getByText("mistral, threshold 0.6: 15 rows with scores")).toBeVisible();
    await page.goto(`/analysis/imports/${id}/questions?page=99`);
    await expect(page.getByText("The list ends before this page.")).toBeVisible();
    await page.getByRole("button", { name: "Last page" }).click();
    await expect(page).not.toHaveURL(/page=/);
    await expect(rows.getByRole("row")).not.toHaveCount(1);
    await page.goto(`/analysis/imports/${id}/questions/99?sheet=mistral/threshold_0.6.xlsx`);
    await expect(page.getByText(/there is no number 98/)).toBeVisible();
    await page.goto(`/analysis/imports/${id}/questions/1`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Row 2");
    for (const address of [
      `/analysis/imports/${id}/questions/first`,
      "/runs/none/questions/first",
      "/analysis/imports/sheets-none",
      "/analysis/sweeps/none",
    ]) {
      await page.goto(address);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is nothing at this address");
      await expect(page.getByRole("main").getByRole("link", { name: "Go to the sweeps" })).toBeVisible();
      await expectAccessible(page);
    }
  });
});

test("scores of a sheet stand beside those made again from the dataset’s references", async ({ page }) => {
  const questions = Array.from({ length: 14 }, (_, n) => ({
    id: `q${n}`,
    question: `question ${n}?`,
    reference: n === 0 ? "said" : "something else",
  }));
  await page.request.post("/api/v1/datasets", {
    multipart: {
      name: "references",
      file: {
        name: "references.json",
        mimeType: "application/json",
        buffer: Buffer.from(JSON.stringify(questions)),
      },
    },
  });
  const id = await importStudy(page, "checked", 0.9, "references");
  await page.goto(`/analysis/imports/${id}/questions/1?sheet=mistral/threshold_0.5.xlsx`);
  const scores = page.getByRole("table", { name: "Scores" });
  // The answer is the reference word for word.
  await expect(scores.getByRole("row", { name: /F1 Score/ })).toContainText(/0\.3000.*1\.0000.*differs/, {
    timeout: 60_000,
  });
  await expect(scores.getByRole("columnheader", { name: "Recomputed" })).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page, NARROW);
});

test("from the numbers and marks of a sweep to the questions behind them", async ({ page }) => {
  await loadExample(page.request);
  const id = await finishedSweep(page.request, "Behind");
  const [, threshold] = (await (await page.request.get(`/api/v1/sweeps/${id}`)).json()).runs;
  await page.goto(`/analysis/sweeps/${id}?table=configurations`);
  const tables = page.getByRole("region", { name: "Tables" });
  const row = tables.getByRole("row", { name: new RegExp(threshold.name) });

  await test.step("a configuration leads to its run, its gain to what changed", async () => {
    await expect(row).toBeVisible({ timeout: 60_000 });
    await row.getByRole("rowheader").getByRole("link").click();
    await expect(page).toHaveURL(new RegExp(`/runs/${threshold.id}`));
    await expect(page.getByRole("table", { name: "Questions" })).toBeInViewport();
    await page.goBack();
    await row.getByTitle("To the questions that changed most beside the baseline").first().click();
    await expect(page).toHaveURL(new RegExp(`/compare\\?.*of=${threshold.id}`));
    await expect(page.getByRole("table", { name: "Questions that changed most" })).toBeInViewport({
      timeout: 60_000,
    });
  });

  await test.step("a mark leads there too, and by keyboard the row of the figure’s table", async () => {
    await page.goto(`/analysis/sweeps/${id}`);
    const figure = page.getByRole("region", { name: /^CPS by/ });
    const marks = figure.locator("[data-drawing] [data-href]");
    await expect(marks.first()).toBeVisible({ timeout: 60_000 });
    await marks.last().click();
    await expect(page).toHaveURL(/\/runs\//);
    await page.goBack();
    await figure.getByText("Table", { exact: true }).click();
    const threshold04 = page.getByRole("cell", { name: "0.4", exact: true });
    const shown = figure.getByRole("table").getByRole("row").filter({ has: threshold04 });
    await shown.getByRole("link").focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`/runs/${threshold.id}`));
  });
});

async function importStudy(page: Page, name: string, factor: number, dataset?: string): Promise<string> {
  const answer = await page.request.post("/api/v1/imports", {
    multipart: {
      name,
      ...(dataset ? { dataset } : {}),
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
