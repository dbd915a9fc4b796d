import { readFileSync } from "node:fs";
import { choose, expect, expectAccessible, expectStillAccessible, expectToFit, test } from "./fixtures";
import { importStudy, studyArchive } from "./sheets";
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
    await page.getByRole("button", { name: "Choose other files" }).click();
  });

  await test.step("the audit comes before any number", async () => {
    const drop = page.locator("input[type=file]");
    await drop.setInputFiles({ name: "study.zip", mimeType: "application/zip", buffer: studyArchive() });
    await page.getByRole("button", { name: "Import 1 file" }).click();
    await expect(page).toHaveURL(/\/analysis\/imports\//, { timeout: 60_000 });
    await expect(page.getByText("4 sheets, 57 rows, 14 distinct questions.")).toBeVisible();
    const conclusions = page.getByRole("region", { name: "Conclusions as published and corrected" });
    await expect(conclusions.getByText(/largest CPS gain/).first()).toBeVisible();
    await expect(
      conclusions.getByRole("table", { name: "Best configurations as published and corrected" }),
    ).toBeVisible();
    const audit = page.getByRole("table", { name: "Audit" });
    await expect(
      audit.getByRole("row", { name: /more than once|twice|doubl|repeat/i }).first(),
    ).toBeVisible();
  });

  await test.step("figures and tables follow, by the procedure that the address names", async () => {
    await expect(page.getByRole("region", { name: /^CPS by/ })).toBeVisible({ timeout: 60_000 });
    const table = page.getByRole("table", { name: "Configurations" });
    await expect(table.getByRole("columnheader", { name: "threshold" })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
    await choose(page.getByRole("combobox", { name: "Procedure" }), /as computed in the thesis/);
    await expect(page).toHaveURL(/procedure=published/);
    await expect(page.getByText(/For replication only/)).toBeVisible();
    await expect(page.getByRole("region", { name: "Tables" })).toBeVisible({ timeout: 60_000 });
    const link = page.getByRole("link", { name: "Save report" });
    await expect(link).toHaveAttribute("href", /procedure=published/);
  });

  await test.step("the pages behind and beside it", async () => {
    const address = page.url();
    await page.goto(`${new URL(address).pathname}/questions?sheet=mistral%2Fthreshold_0.6.xlsx`);
    await expect(page.getByText("mistral, threshold 0.6: 15 rows with the scores")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: "question 3?" }).first().click();
    await expect(page.getByRole("table", { name: "Scores" })).toBeVisible();
    await expectAccessible(page);
    for (const path of ["/analysis/domains", "/analysis/times"]) {
      await page.goto(path);
      await expectAccessible(page);
    }
    await page.goto(address);
  });

  await test.step("it is published as a study, which the page Audit verifies", async () => {
    const address = page.url();
    const form = page.getByRole("region", { name: "Publish these sheets" });
    await form.getByLabel("Title").fill("Old sheets");
    await form.getByRole("button", { name: "Publish study" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Publish study" }).click();
    await expect(form.getByText("Study published")).toBeVisible({ timeout: 60_000 });
    const saving = page.waitForEvent("download");
    await form.getByRole("link", { name: "Save study" }).click();
    const buffer = readFileSync(await (await saving).path());
    await expectStillAccessible(page);
    await expectToFit(page, NARROW);
    await page.goto("/audit");
    const file = { name: "study.zip", mimeType: "application/zip", buffer };
    await page.locator("input[type=file]").setInputFiles(file);
    await expect(page.getByText("study.zip: the table and the verdict follow from 57 rows.")).toBeVisible();
    await expect(page.getByText("Sheets in the table", { exact: true })).toBeVisible();
    await expect(page.getByText("Old sheets", { exact: true })).toBeVisible();
    const steps = page.getByRole("table", { name: "Checks" });
    await expect(steps.getByRole("row", { name: /ledger row matches study.json/ })).toContainText("passed");
    await expect(steps.getByText("failed", { exact: true })).toHaveCount(0);
    await expectAccessible(page);
    await expectToFit(page, NARROW);
    await page.goto(address);
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

test("an analysis is pinned to the constants of another, and to those of a file", { tag: "@soak" }, async ({
  page,
}) => {
  const wide = await importStudy(page.request, "wide");
  const narrow = await importStudy(page.request, "narrow", { factor: 0.5 });
  await page.goto(`/analysis/imports/${narrow}`);
  const constants = page.getByRole("region", { name: "Constants" });
  const tables = page.getByRole("region", { name: "Tables" });
  const source = constants.getByRole("combobox", { name: "Minimum and maximum" });
  await expect(constants.getByText("CPS relative to all 4 sheets; 57 rows.")).toBeVisible();

  await test.step("to another analysis, by its id in the address", async () => {
    await source.click();
    await page.getByRole("option", { name: "Another analysis" }).click();
    await choose(constants.getByRole("combobox", { name: "Analysis", exact: true }), "wide", { exact: true });
    await expect(page).toHaveURL(new RegExp(`constants=${wide}`));
    const basis = `CPS relative to constants of import wide (${wide}), 57 rows; 57 rows.`;
    await expect(constants.getByText(basis)).toBeVisible();
    await expect(tables.getByText(basis)).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole("link", { name: "Save report" })).toHaveAttribute(
      "href",
      new RegExp(`constants=${wide}`),
    );
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("the same from the file that was saved, also after the page is opened again", async () => {
    const saving = page.waitForEvent("download");
    await constants.getByRole("link", { name: /Save constants/ }).click();
    const saved = await (await saving).path();
    await source.click();
    await page.getByRole("option", { name: "This pool" }).click();
    await expect(page).not.toHaveURL(/constants=/);
    await source.click();
    await page.getByRole("option", { name: "File", exact: true }).click();
    await constants.locator("input[type=file]").setInputFiles(saved);
    await expect(page).toHaveURL(/constants=.*METEOR/);
    await page.reload();
    await expect(tables.getByText(`CPS relative to constants of import wide (${wide})`)).toBeVisible({
      timeout: 60_000,
    });
  });

  await test.step("what holds no constants, or others than these scores need, is refused in a sentence", async () => {
    const file = constants.locator("input[type=file]");
    await file.setInputFiles({ name: "notes.json", mimeType: "application/json", buffer: Buffer.from("{}") });
    await expect(constants.getByRole("alert")).toContainText("notes.json contains no constants");
    await page.goto(`/analysis/imports/${narrow}?procedure=published-phase2&constants=${wide}`);
    await expect(page.getByRole("alert").first()).toContainText("constants");
  });
});

test("sheets of the pilot open with their procedure, under the name that they are given", {
  tag: "@soak",
}, async ({ page }) => {
  await page.goto("/analysis");
  const buffer = studyArchive(1, "orca", 16);
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "study.zip", mimeType: "application/zip", buffer });
  await page.getByRole("textbox", { name: "Name" }).fill("Pilot");
  await page.getByRole("button", { name: "Import 1 file" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Pilot" })).toBeVisible({ timeout: 60_000 });
  const procedure = page.getByRole("combobox", { name: "Procedure" });
  await expect(procedure).toHaveValue("Published, Phase II");
  await expect(page.getByRole("region", { name: "Tables" })).toBeVisible({ timeout: 60_000 });
  await procedure.click();
  await expect(page.getByRole("option", { name: /^Corrected/ })).toHaveAttribute("data-combobox-disabled");
  await page.keyboard.press("Escape");
  const publication = page.getByRole("region", { name: "Publication" });
  await expect(publication.getByText(/cannot be published.*has no column Bert-Score\.f1/)).toBeVisible();
  await expect(publication.getByRole("button")).toHaveCount(0);
  await expectAccessible(page);
  await expectToFit(page, NARROW);
});

test("how a sweep is analysed is decided on its page and stands in the address", { tag: "@soak" }, async ({
  page,
}) => {
  await loadExample(page.request);
  const id = await finishedSweep(page.request, "Decided");
  await page.goto(`/analysis/sweeps/${id}`);
  const decisions = page.getByRole("region", { name: "Analysis settings" });
  await expect(decisions.getByText("controlled: only the retrieval setting differs")).toBeVisible({
    timeout: 60_000,
  });
  await expect(page).not.toHaveURL(/scope=|panel=/);
  await expectAccessible(page);
  await expectToFit(page, NARROW);

  await test.step("pools of each run say that nothing compares", async () => {
    await choose(decisions.getByRole("combobox", { name: "Pools" }), "Per run");
    await expect(page).toHaveURL(/scope=run/);
    await expect(decisions.getByText(/Each run has its own constants/)).toBeVisible({
      timeout: 60_000,
    });
    await expect(page.getByRole("link", { name: "Save report" })).toHaveAttribute("href", /scope=run/);
  });

  await test.step("weights of T-CPS are typed, called exploratory and stand in the report's address", async () => {
    await decisions.getByText("Margin, T-CPS and repetitions").click();
    await expect(decisions.getByText(/No effect: the sweep has no repetitions/)).toBeVisible();
    const weight = decisions.getByRole("textbox", { name: "T-CPS alpha" });
    await expect(weight).toHaveAttribute("placeholder", "0.1");
    await weight.fill("0");
    await expect(page).toHaveURL(/tcps_alpha=0/);
    await expect(page.getByText(/Exploratory: .* changed after the sweep was planned/).first()).toBeVisible({
      timeout: 60_000,
    });
    await expect(page.getByRole("link", { name: "Save report" })).toHaveAttribute("href", /tcps_alpha=0/);
    await expectAccessible(page);
    await expectToFit(page, NARROW);
    await weight.fill("");
    await expect(page).not.toHaveURL(/tcps_alpha/);
  });

  await test.step("the default leaves the address again", async () => {
    await choose(decisions.getByRole("combobox", { name: "Pools" }), "All runs");
    await expect(page).not.toHaveURL(/scope=/);
    await expect(decisions.getByText("controlled: only the retrieval setting differs")).toBeVisible({
      timeout: 60_000,
    });
  });
});
