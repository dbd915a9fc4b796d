import { choose, expect, expectAccessible, expectToFit, test } from "./fixtures";
import { importStudy } from "./sheets";
import { finishedSweep, loadExample } from "./sweeps";

const NARROW = 360;

test("from a number of imported sheets to the rows behind it, and from row to row", {
  tag: "@soak",
}, async ({ page }) => {
  const id = await importStudy(page.request, "rows");
  await page.goto(`/analysis/imports/${id}?table=tests`);
  const tables = page.getByRole("region", { name: "Tables" });

  await test.step("a row of a table leads to the questions of its sheet", async () => {
    const row = tables.getByRole("row", { name: /mistral 0.6/ });
    await row.getByRole("link", { name: "mistral" }).click({ timeout: 60_000 });
    await expect(page).toHaveURL(/\/questions\?sheet=mistral%2Fthreshold_0\.6\.xlsx/);
    await expect(page.getByText("mistral, threshold 0.6: 15 rows with the scores")).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  const rows = page.getByRole("table", { name: "Sheet questions" });
  const texts = () => rows.getByRole("rowheader").allTextContents();

  await test.step("the server sorts and filters, and the address says how", async () => {
    await rows.getByRole("columnheader", { name: "METEOR" }).getByRole("button").click();
    await expect(page).toHaveURL(/sort=-METEOR/);
    await expect.poll(async () => (await texts())[0]).toBe("question 12?");
    await choose(page.getByRole("combobox", { name: "Rows shown" }), /Repeated questions/);
    await expect(page).toHaveURL(/only=repeated/);
    await expect.poll(texts).toEqual(["question 3?", "question 3?"]);
    await page.reload();
    await expect.poll(texts).toEqual(["question 3?", "question 3?"]);
  });

  await test.step("a row shows what the sheet holds, and keys lead on in the list’s order", async () => {
    await rows.getByRole("link", { name: "question 3?" }).first().click();
    // The added row, the last of the sheet, has the higher METEOR of the two.
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Row 16");
    await expect(page.getByText("1 of 2 in the previous list")).toBeVisible();
    await expect(page.getByText("2 rows of this sheet contain this question.")).toBeVisible();
    await expect(page.getByText(/cannot be recomputed without a reference/)).toBeVisible();
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
    await expect(page.getByRole("alert")).toContainText("has no sheet “none.xlsx”");
    await expectAccessible(page);
    await choose(page.getByRole("combobox", { name: "Sheet" }), "mistral, threshold 0.6");
    await expect(page.getByText("mistral, threshold 0.6: 15 rows with the scores")).toBeVisible();
    await page.goto(`/analysis/imports/${id}/questions?page=99`);
    await expect(page.getByText("This page is past the end of the list.")).toBeVisible();
    await page.getByRole("button", { name: "Last page" }).click();
    await expect(page).not.toHaveURL(/page=/);
    await expect(rows.getByRole("row")).not.toHaveCount(1);
    await page.goto(`/analysis/imports/${id}/questions/99?sheet=mistral/threshold_0.6.xlsx`);
    await expect(page.getByText(/but no row 98/)).toBeVisible();
    await page.goto(`/analysis/imports/${id}/questions/1`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Row 2");
    for (const address of [
      `/analysis/imports/${id}/questions/first`,
      "/runs/none/questions/first",
      "/analysis/imports/sheets-none",
      "/analysis/sweeps/none",
    ]) {
      await page.goto(address);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
      await expect(page.getByRole("main").getByRole("link", { name: "Show sweeps" })).toBeVisible();
      await expectAccessible(page);
    }
  });
});

test("scores of a sheet stand beside those made again from the dataset’s references", {
  tag: "@soak",
}, async ({ page }) => {
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
  const id = await importStudy(page.request, "checked", { factor: 0.9, dataset: "references" });
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

test("from the numbers and marks of a sweep to the questions behind them", { tag: "@soak" }, async ({
  page,
}) => {
  await loadExample(page.request);
  const id = await finishedSweep(page.request, "QuestionSource");
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
    await row.getByTitle("Show the questions that changed most from the baseline").first().click();
    await expect(page).toHaveURL(new RegExp(`/compare\\?.*of=${threshold.id}`));
    await expect(page.getByRole("table", { name: "Questions with the largest change" })).toBeInViewport({
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
