import { expect, expectAccessible, expectToFit, test } from "./fixtures";
import { EXAMPLE, loadExample } from "./sweeps";

test("retrievers are compared without a model, by passage and by document", async ({ page, request }) => {
  await loadExample(request);
  await page.goto("/retrieval");
  await expectAccessible(page);
  for (const label of ["Collection", "Questions"]) {
    await page.getByRole("combobox", { name: label }).click();
    await page.getByRole("option", { name: EXAMPLE, exact: true }).click();
  }
  await page.getByRole("button", { name: "Compare retrievers" }).click();
  const figures = page.getByRole("table", { name: "Figures at K" });
  await expect(figures.getByRole("row", { name: /BM25/ }).first()).toBeVisible({ timeout: 60_000 });
  await expect(figures.getByRole("columnheader", { name: "R@10", exact: true })).toBeVisible();
  await page.getByRole("radiogroup", { name: "Figures at K" }).getByText("5", { exact: true }).click();
  await expect(figures.getByRole("columnheader", { name: "R@5", exact: true })).toBeVisible();
  await expect(page.getByText(/Means over \d+ questions/)).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page, 360);

  await page.getByText("Documents", { exact: true }).click();
  await page.getByRole("button", { name: "Compare retrievers" }).click();
  await expect(page).toHaveURL(/by=document/);
  await expect(figures.getByRole("row", { name: /RRF/ }).first()).toBeVisible({ timeout: 60_000 });
});
