import { expect, expectAccessible, expectStillAccessible, expectToFit, REFUSED, test } from "./fixtures";
import { EXAMPLE, loadExample } from "./sweeps";

const NARROW = 360;
const OTHERS = Array.from({ length: 6 }, (_, number) => `What do bees of field ${number} need?`);

test("failed questions are told as they come, are looked at, and asked again", async ({ page, request }) => {
  await loadExample(request);
  const rows = [...REFUSED, ...OTHERS].map((question, number) => ({
    id: `bees-${number}`,
    question,
    reference: "Flowers.",
  }));
  const file = { name: "bees.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(rows)) };
  const taken = await request.post("/api/v1/datasets", { multipart: { file, name: "bees" } });
  expect(taken.status()).toBe(201);
  const created = await request.post("/api/v1/sweeps", {
    data: {
      name: "Counting bees",
      config: {
        dataset: "bees",
        collection: EXAMPLE,
        model: { provider: "ollama", name: "mistral:latest" },
      },
      axes: { k: [2] },
    },
  });
  expect(created.status()).toBe(201);
  const { id, runs } = await created.json();
  await page.goto(`/sweeps/${id}`);
  const recent = page.getByRole("list", { name: "Latest failures, newest first" });

  await test.step("each with its reason, spoken politely", async () => {
    await expect(page.getByText("2 questions failed")).toBeVisible({ timeout: 60_000 });
    await expect(recent.getByRole("listitem")).toHaveCount(2);
    await expect(recent.getByRole("listitem").first()).toContainText("too hot to think");
    await expect(page.locator("[aria-live=polite]").filter({ has: recent })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("one opens whole, and all of them are one link away", async () => {
    await recent.getByRole("link", { name: "bees-0" }).click();
    await expect(page.getByRole("heading", { name: "Question 1 of 8" })).toBeVisible();
    await expect(page.getByText(/too hot to think/).first()).toBeVisible();
    await page.goBack();
    await page.getByRole("link", { name: "Show all 2 failed questions" }).click();
    await expect(page).toHaveURL(new RegExp(`/runs/${runs[0].id}\\?only=failed`));
    const questions = page.getByRole("table", { name: "Questions" });
    await expect(questions.getByRole("row")).toHaveCount(1 + 2);
    await expect(questions.getByRole("row").nth(1)).toContainText("too hot to think");
    await expectStillAccessible(page);
    await expectToFit(page, NARROW);
    await page.getByRole("checkbox", { name: "Failed only (2)" }).uncheck();
    await expect(questions.getByRole("row")).toHaveCount(1 + 8);
  });

  await test.step("asked again, they are answered, and nothing is said of them any more", async () => {
    await page.getByRole("button", { name: "Retry 2 failed" }).click();
    await expect(page.getByText("2 questions failed")).toBeHidden({ timeout: 60_000 });
    await expect(page.getByText(/8 of 8 questions of bees scored/)).toBeVisible({ timeout: 60_000 });
    const metrics = page.getByRole("table", { name: "Metrics" });
    await expect(metrics.getByRole("row", { name: /^F1 Score/ })).toContainText("8");
    await expect(metrics.getByRole("img", { name: /minimum .*, median .*, maximum / }).first()).toBeVisible();
  });
});
