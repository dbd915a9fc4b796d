import { readFile } from "node:fs/promises";
import { expect, expectAccessible, expectToFit, test } from "./fixtures";
import { EXAMPLE, loadExample } from "./sweeps";

test("a timing run shows its medians, its warm-up and its machine", { tag: "@soak" }, async ({
  page,
  request,
}) => {
  await loadExample(request);
  const created = await request.post("/api/v1/sweeps", {
    data: {
      name: "Timed",
      config: {
        dataset: EXAMPLE,
        collection: EXAMPLE,
        model: { provider: "ollama", name: "mistral:latest" },
        questions: 4,
      },
      axes: { k: [2] },
      baseline: { mode: "normal", k: 5 },
      timing: { warm_up: 2 },
    },
  });
  expect(created.status()).toBe(201);
  await page.goto(`/sweeps/${(await created.json()).id}`);
  const timings = page.getByRole("table", { name: "Timings" });
  await expect(timings.getByRole("row")).toHaveCount(3, { timeout: 90_000 });
  await expect(timings.getByRole("columnheader", { name: "Tokens/s" })).toBeVisible();
  // This process alone takes more than a hundred megabytes.
  await expect(timings.getByRole("columnheader", { name: "Memory of PaSSER" })).toBeVisible();
  await expect(timings.getByRole("row", { name: /Top-k 5/ })).toContainText(/[1-9]\d\d MB|GB/);
  // 8 evaluations, of which the model's first 2 are warm-up.
  const counts = timings.getByRole("row", { name: /Top-k 5/ }).getByRole("cell");
  await expect(counts.nth(-4)).toHaveText("2");
  await expect(counts.nth(-3)).toHaveText("2");
  await expect(page.getByText(/The first 2 questions of each model are warm-up/)).toBeVisible();
  await expect(page.getByText("Processor", { exact: true })).toBeVisible();
  await page.getByText("Warm-up questions (2)").click();
  await expect(page.getByRole("table", { name: "Warm-up questions (2)" }).getByRole("row")).toHaveCount(3);
  await expectAccessible(page);
  await expectToFit(page, 360);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Timings of all questions as CSV" }).click();
  const text = await readFile(await (await download).path(), "utf8");
  expect(text.trim().split(/\r?\n/)).toHaveLength(9);
});
