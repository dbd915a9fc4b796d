import { expect, expectAccessible, expectToFit, test } from "./fixtures";
import { studyArchive } from "./sheets";

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
