import { expect, expectAccessible, expectStillAccessible, expectToFit, test } from "./fixtures";

const NARROW = 360;

test("the models of a model server are listed", async ({ page }) => {
  await page.goto("/settings");
  const table = page.getByRole("table", { name: "Models of Ollama" });
  await expect(table.getByRole("row", { name: /mistral:latest/ })).toContainText(/[kMG]?B/);
  await expect(table.getByRole("row")).toHaveCount(4);
  await expectAccessible(page);
  await expectToFit(page, NARROW);
});

test("a model is pulled, with its bytes counted", async ({ page }) => {
  await page.goto("/settings");
  await page.getByLabel("Model name").fill("no-such-model");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("no-such-model");
  await page.getByLabel("Model name").fill("orca2");
  await page.getByRole("button", { name: "Pull model", exact: true }).click();
  await expect(page.getByRole("row", { name: /orca2/ })).toBeVisible();
  await expectStillAccessible(page);
});

test("another language is chosen, and kept", async ({ page }) => {
  await page.goto("/settings");
  await page.getByText("Български", { exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Настройки" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "bg");
  await page.goto("/new");
  await expect(page.getByRole("heading", { level: 1, name: "Нова серия" })).toBeVisible();
  await expectStillAccessible(page);
  await expectToFit(page, NARROW);
  await page.getByText("English", { exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "New sweep" })).toBeVisible();
});

test("every metric says what it measures, under both profiles", async ({ page }) => {
  await page.goto("/settings");
  await page.getByRole("link", { name: "Show metrics" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Metrics" })).toBeVisible();
  const meteor = page.getByRole("region", { name: "METEOR", exact: true });
  await expect(meteor).toContainText("0 to 1");
  await expect(meteor).toContainText("WordNet");
  await expect(meteor.getByRole("link")).toHaveAttribute("href", /^https:/);
  const perplexity = page.getByRole("region", { name: "Laplace Perplexity" });
  await expect(perplexity).toContainText("lower is better");
  await expectAccessible(page);
  await expectToFit(page, NARROW);
  const standard = await meteor.textContent();
  await page.getByText("Published", { exact: true }).click();
  await expect(page).toHaveURL(/profile=published/);
  await expect(meteor).not.toHaveText(standard ?? "");
});

test("a setting of the project is changed, shows its origin, and is reset", async ({ page }) => {
  await page.goto("/settings");
  const panel = page.getByRole("region", { name: "Project settings" });
  const row = panel.getByRole("row", { name: /Ledger entries of a run/ });
  await expect(row).toContainText("One per question and one per run");
  await expect(row).toContainText("Default");
  // The models of a server come last and move what is below them.
  await expect(page.getByRole("row", { name: /mistral:latest/ })).toBeVisible();
  await panel.getByRole("button", { name: "Change Time stamp authority" }).click();
  await panel.getByRole("textbox", { name: "Time stamp authority" }).fill("file:///etc");
  await panel.getByRole("button", { name: "Save setting" }).click();
  await expect(panel.getByRole("alert")).toContainText("is not the address of a time stamp authority");
  await expectAccessible(page);
  await panel.getByRole("button", { name: "Cancel" }).click();
  await panel.getByRole("button", { name: "Change Ledger entries of a run" }).click();
  await panel.getByRole("combobox", { name: "Ledger entries of a run" }).selectOption("One per run");
  await panel.getByRole("button", { name: "Save setting" }).click();
  await expect(row).toContainText("This project");
  await page.reload();
  await expect(row).toContainText("This project");
  await expectStillAccessible(page);
  await expectToFit(page, NARROW);
  await panel.getByRole("button", { name: "Change Ledger entries of a run" }).click();
  await panel.getByRole("button", { name: "Use One per question and one per run" }).click();
  await expect(row).toContainText("Default");
});
