import { expect, expectAccessible, expectStillAccessible, expectToFit, test } from "./fixtures";

test.use({ emptyFor: "data" });

const NARROW = 360;

const SOIL = `Compost returns carbon to the soil and feeds its organisms.

Green manure is sown to be worked into the soil; clover binds nitrogen from the air.

Crop rotation breaks the cycles of pests and diseases without pesticides.`;

const BEES = "Bees gather nectar and pollen within three kilometres of the hive.";

test("a collection is made, searched, extended and deleted", async ({ page }) => {
  await test.step("the empty state says what to do, with the examples one click away", async () => {
    await page.goto("/");
    await page.getByRole("link", { name: "Collections" }).click();
    await expect(page.getByRole("heading", { name: "No collections yet" })).toBeVisible();
    await expect(page.getByRole("button", { name: /organic farming/ })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("an overlap that does not fit is refused under its field, and nothing typed is lost", async () => {
    await page.getByText("Pasted text", { exact: true }).click();
    await page.getByLabel("Document name").fill("soil");
    await page.getByLabel("Text", { exact: true }).fill(SOIL);
    await page.getByLabel("Collection name").fill("e2e-soil");
    await page.getByLabel("Passage size").fill("100");
    await page.getByLabel("Overlap").fill("200");
    await page.getByRole("button", { name: "Import documents" }).click();
    await expect(page.getByLabel("Overlap")).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByLabel("Text", { exact: true })).toHaveValue(SOIL);
    await page.getByLabel("Overlap").fill("10");
  });

  await test.step("pasted text becomes a collection, and its page opens", async () => {
    await page.getByRole("button", { name: "Import documents" }).click();
    await expect(page).toHaveURL(/\/collections\/e2e-soil$/);
    await expect(page.getByRole("heading", { level: 1, name: "e2e-soil" })).toBeVisible();
    await expect(page.getByText("embedded/all-MiniLM-L6-v2, 384 dimensions")).toBeVisible();
    await expect(page.getByText("100 characters", { exact: true })).toBeVisible();
  });

  await test.step("a search shows the nearest passage first, and stands in the address", async () => {
    await page.getByLabel("Search text").fill("Which plant fixes nitrogen?");
    await page.keyboard.press("Enter");
    const nearest = page.locator("[data-passage]").first();
    await expect(nearest).toContainText("clover binds nitrogen");
    await expect(nearest).toContainText(/0\.\d{4}/);
    await page.reload();
    await expect(page.locator("[data-passage]").first()).toContainText("clover binds nitrogen");
    await expect(page.getByLabel("Search text")).toHaveValue("Which plant fixes nitrogen?");
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("it is embedded again from its page, which keeps its passages", async () => {
    await page.getByRole("button", { name: "Reindex collection" }).click();
    await expect(page.getByText("Collection e2e-soil was reindexed")).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText("embedded/all-MiniLM-L6-v2, 384 dimensions")).toBeVisible();
  });

  await test.step("a file extends it as it was cut; one that cannot be read says why and stops no other", async () => {
    await expect(page.getByText(/at most 100 characters, overlap 10/)).toBeVisible();
    await page.locator("input[type=file]").setInputFiles([
      { name: "bees.md", mimeType: "text/markdown", buffer: Buffer.from(BEES) },
      { name: "empty.pdf", mimeType: "application/pdf", buffer: Buffer.from("") },
    ]);
    await page.getByRole("button", { name: "Import documents" }).click();
    await expect(page.getByRole("alert")).toContainText("empty.pdf");
    await expect(page.getByRole("table", { name: "Documents" })).toContainText("bees.md");
    // What was imported is not sent again; what was refused stays with its reason.
    await expect(page.getByRole("button", { name: "Remove empty.pdf" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Remove bees.md" })).toBeHidden();
    await expectStillAccessible(page);
  });

  await test.step("an address within this machine is refused in a sentence", async () => {
    await page.getByText("Web address", { exact: true }).click();
    await page.getByRole("textbox", { name: "Web address" }).fill("http://127.0.0.1:9/page.html");
    await page.getByRole("button", { name: "Import documents" }).click();
    await expect(page.getByRole("alert")).toContainText("127.0.0.1");
  });

  await test.step("the list names it with its counts", async () => {
    await page.getByRole("main").getByRole("link", { name: "Collections", exact: true }).click();
    await expect(page.getByRole("row", { name: /e2e-soil/ })).toContainText("embedded/all-MiniLM-L6-v2");
    await expectToFit(page, NARROW);
    await page.getByRole("link", { name: "e2e-soil" }).click();
  });

  await test.step("deleting asks for the name", async () => {
    await page.getByRole("button", { name: "Delete" }).click();
    const question = page.getByRole("dialog", { name: "Delete e2e-soil?" });
    const act = question.getByRole("button", { name: "Delete" });
    await expect(act).toBeDisabled();
    await question.getByLabel("Type e2e-soil to confirm").fill("e2e-soi");
    await expect(act).toBeDisabled();
    await expectAccessible(page);
    await question.getByLabel("Type e2e-soil to confirm").fill("e2e-soil");
    await act.click();
    await expect(page).toHaveURL(/\/collections$/);
    await expect(page.getByRole("row", { name: /e2e-soil/ })).toBeHidden();
  });

  await test.step("an address of a collection that is gone says so", async () => {
    await page.goto("/collections/e2e-soil");
    await expect(page.getByRole("alert")).toContainText("There is no collection e2e-soil");
  });
});
