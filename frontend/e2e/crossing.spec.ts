import type { APIRequestContext } from "@playwright/test";
import { choose, expect, expectAccessible, expectToFit, test } from "./fixtures";
import { importStudy } from "./sheets";
import { EXAMPLE, finishedSweep, loadExample } from "./sweeps";

test.use({ emptyFor: "crossing" });

const NARROW = 360;

test("two domains side by side: chosen on the page, kept in the address", { tag: "@soak" }, async ({
  page,
}) => {
  await test.step("without two studies the page says what to do", async () => {
    await page.goto("/analysis");
    await page.getByRole("link", { name: "Compare two domains" }).click();
    await expect(page.getByRole("heading", { name: "No studies to compare" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Import result sheets" })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  const wide = await importStudy(page.request, "farm");
  const narrow = await importStudy(page.request, "law", { factor: 0.5, model: "mistral-7b" });
  const choice = page.getByRole("region", { name: "Comparison" });

  await test.step("two imports are chosen; a model that each calls otherwise gets one name", async () => {
    await page.goto("/analysis/domains");
    await choose(page.getByRole("combobox", { name: "First study" }), "farm", { exact: true });
    await expect(page.getByText(/Choose two studies of one type/)).toBeVisible();
    await choose(page.getByRole("combobox", { name: "Second study" }), "law", { exact: true });
    await expect(page).toHaveURL(new RegExp(`first=${wide}&second=${narrow}`));
    await expect(page.getByText("Only farm contains mistral. These models are excluded.")).toBeVisible({
      timeout: 60_000,
    });
    await choice.getByText("Model names").click();
    await choice.getByLabel("Name for mistral-7b").fill("mistral");
    await choice.getByLabel("Name for mistral-7b").press("Enter");
    await expect(page).toHaveURL(/labels=mistral-7b/);
  });

  const rankings = page.getByRole("table", { name: "Best thresholds in both domains" });

  await test.step("sentences, figures and tables", async () => {
    await expect(rankings.getByRole("row", { name: /mistral farm 14 0\.5/ })).toBeVisible({
      timeout: 60_000,
    });
    await expect(rankings.getByRole("row", { name: /mistral law 14 0\.5/ })).toBeVisible();
    const findings = page.getByRole("list", { name: "Summary" });
    await expect(findings.getByRole("listitem").first()).toContainText("mistral");
    await expect(page.getByRole("region", { name: "Largest gain in each study" })).toBeVisible();
    await expect(page.getByRole("region", { name: /Difference in gain: farm − law/ })).toBeVisible();
    const tables = page.getByRole("region", { name: "Tables" });
    await expect(tables.getByRole("link", { name: /Save .* as CSV/ })).toHaveAttribute(
      "href",
      new RegExp(`first=${wide}&second=${narrow}&constants=joint&table=domains&format=csv&label=`),
    );
    const saved = await page.request.get(
      (await tables.getByRole("link", { name: /as CSV/ }).getAttribute("href")) ?? "",
    );
    expect(await saved.text()).toContain("best_threshold");
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("from a number to the rows of its sheet, and back to the same choice", async () => {
    await rankings
      .getByRole("row", { name: /mistral law/ })
      .getByRole("link", { name: "0.5" })
      .click();
    await expect(page).toHaveURL(new RegExp(`/imports/${narrow}/questions\\?sheet=`));
    await page.goBack();
    await expect(rankings.getByRole("row", { name: /mistral farm/ })).toBeVisible({ timeout: 60_000 });
  });

  await test.step("on different constants nothing is compared, and the page says so", async () => {
    await choice.getByRole("combobox", { name: "Minimum and maximum" }).click();
    await page.getByRole("option", { name: "Separate for each study" }).click();
    await expect(page).toHaveURL(/constants=own/);
    await expect(page.getByText(/Gains and rankings cannot be compared/)).toBeVisible({
      timeout: 60_000,
    });
    await expect(page.getByRole("region", { name: /Difference in gain/ })).toBeHidden();
  });

  await test.step("what cannot be compared is refused in a sentence", async () => {
    await page.goto(`/analysis/domains?first=${wide}&second=sheets-none`);
    await expect(page.getByRole("alert")).toContainText("There is no import “sheets-none”");
  });
});

test("two sweeps as two domains lead to their runs", { tag: "@soak" }, async ({ page }) => {
  await loadExample(page.request);
  const first = await finishedSweep(page.request, "Forest");
  const second = await sweep(page.request, { name: "Meadow", questions: 6 });
  await page.goto(`/analysis/domains?first=${first}&second=${second}`);
  const rankings = page.getByRole("table", { name: "Best thresholds in both domains" });
  const meadow = rankings.getByRole("row", { name: /Meadow/ });
  await expect(meadow).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(/Other differences/)).toBeVisible();
  await meadow.getByRole("rowheader").getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/runs/${second}`));
});

test("two timing runs side by side, with the machine beside each", { tag: "@soak" }, async ({ page }) => {
  await loadExample(page.request);
  const here = await sweep(page.request, { name: "Here", questions: 6, timing: { warm_up: 1 } });
  const there = await sweep(page.request, { name: "There", questions: 6, timing: { warm_up: 1 } });

  await test.step("both are chosen on the page", async () => {
    await page.goto("/analysis");
    await page.getByRole("link", { name: "Compare times" }).click();
    await choose(page.getByRole("combobox", { name: "This sweep" }), "Here (timing run)", { exact: true });
    await expect(page.getByText(/Choose a second sweep/)).toBeVisible();
    await choose(page.getByRole("combobox", { name: "Compare with" }), "There (timing run)", { exact: true });
    await expect(page).toHaveURL(new RegExp(`here=${here}&there=${there}`));
  });

  const times = page.getByRole("table", { name: "The same configuration on two machines" });

  await test.step("medians, ratios and machines", async () => {
    await expect(page.getByText("Both sweeps ran on the same machine.")).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole("table", { name: "Machines", exact: true })).toContainText("Memory");
    await expect(times.getByRole("columnheader", { name: "ratio", exact: true })).toBeVisible();
    await expect(times.getByText("Embedding").first()).toBeVisible();
    const shown = page.getByRole("combobox", { name: "Table shown" });
    await shown.selectOption({ label: "Identical answers on two machines" });
    const answers = page.getByRole("table", { name: "Identical answers on two machines" });
    await expect(answers.getByRole("row").nth(1)).toContainText(/6\s*6\s*1\.0000/);
    await shown.selectOption({ label: "The same configuration on two machines" });
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("the margin is declared in the address, and the table is saved with it", async () => {
    await page.getByLabel("Time margin").fill("0.25");
    await expect(page).toHaveURL(/margin=0\.25/);
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save comparison as CSV" }).click();
    expect((await saving).suggestedFilename()).toBe(`${here}-timings-compared.csv`);
  });

  await test.step("the other side may be a report of another machine", async () => {
    const report = await (await page.request.get(`/api/v1/sweeps/${there}/timings`)).json();
    const drop = page.locator("input[type=file]");
    await drop.setInputFiles({ name: "notes.json", mimeType: "application/json", buffer: Buffer.from("{}") });
    await expect(page.getByRole("alert")).toContainText("notes.json is not a timing report");
    const machine = { ...report.machine, processor: "Another processor" };
    const elsewhere = JSON.stringify({ ...report, name: "Elsewhere", machine });
    await drop.setInputFiles({
      name: "there.json",
      mimeType: "application/json",
      buffer: Buffer.from(elsewhere),
    });
    await expect(page).not.toHaveURL(/there=/);
    await expect(page.getByRole("table", { name: "Machines", exact: true })).toContainText(
      "Another processor",
    );
    await expect(times).toBeVisible();
  });
});

/** A small sweep of the example with k and one threshold, run to its end; its id. */
async function sweep(
  request: APIRequestContext,
  { name, questions, ...more }: { name: string; questions: number; timing?: { warm_up: number } },
): Promise<string> {
  const created = await request.post("/api/v1/sweeps", {
    data: {
      name,
      config: { dataset: EXAMPLE, collection: EXAMPLE, questions },
      axes: { min_similarity: [0.4, 0.6] },
      baseline: { mode: "normal", k: 10 },
      ...more,
    },
  });
  expect(created.status(), await created.text()).toBe(201);
  const { id } = await created.json();
  const state = async () => (await (await request.get(`/api/v1/sweeps/${id}`)).json()).state;
  await expect.poll(state, { timeout: 90_000 }).toBe("finished");
  return id;
}
