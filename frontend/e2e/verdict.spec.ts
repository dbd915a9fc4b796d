import { expect, expectAccessible, expectStillAccessible, expectToFit } from "./fixtures";
import { cardOf, test } from "./judged";

test("better: what to use, by how much, and three ways on", async ({ page }) => {
  const card = await cardOf(page, "better");
  await expect(card).toContainText("Better than the baseline");
  await expect(card.getByRole("heading", { level: 3 })).toHaveText("Similarity ≥ 0.50");
  await expect(card).toContainText(/is better than Top-k 10: CPS gain \+\d+\.\d\d points \(95 % interval/);
  await expect(card).toContainText("Corrected for the selection");
  await expect(card).toContainText("3 of 60 questions lost the gold passage with Similarity ≥ 0.50");
  await expectAccessible(page);
  await expectToFit(page, 360);

  await test.step("a finer range is filled into the form", async () => {
    await card.getByRole("link", { name: "Compare thresholds 0.4 to 0.6 in steps of 0.02" }).click();
    await expect(page).toHaveURL(/\/new\?/);
    await expect(page.getByLabel("From", { exact: true })).toHaveValue("0.4");
    await expect(page.getByLabel("To", { exact: true })).toHaveValue("0.6");
    await expect(page.getByLabel("Step", { exact: true })).toHaveValue("0.02");
    await page.goBack();
  });
  await test.step("top-k with as many passages is one more configuration beside the threshold", async () => {
    await card.getByRole("link", { name: "Compare with top-k 4" }).click();
    await expect(page.getByLabel("k", { exact: true })).toHaveValue("4");
    await page.goBack();
  });
  await test.step("the questions without gold passage are listed, the largest losses first", async () => {
    await card.getByRole("link", { name: "Show 3 questions without gold passage" }).click();
    await expect(page).toHaveURL(/only=gold_lost/);
    await expect(
      page.getByRole("grid", { name: "Questions and configurations" }).getByRole("rowheader"),
    ).toHaveCount(3);
  });
});

test("gains are ranked, and a part of the paired figure filters the questions", async ({ page }) => {
  await page.goto("/sweeps/better");
  const ranked = page.getByRole("region", { name: "CPS gain over the baseline, the largest first" });
  await expect(ranked).toContainText("1 of 3 intervals includes zero.");
  await expect(ranked.locator('svg [aria-label="y-axis tick label"] text').first()).toHaveText(
    "Similarity ≥ 0.50",
  );
  await expectStillAccessible(page);
  await expectToFit(page, 360);

  const part = page.getByRole("region", { name: "Question by question", exact: true });
  await part.locator("summary").press("Enter");
  const pairs = page.getByRole("region", { name: /against Top-k 10, question by question/ });
  const differences = page.getByRole("region", { name: "Differences of Similarity ≥ 0.50 from Top-k 10" });
  await expect(differences).toContainText(
    /mean difference of \+\d+\.\d{2} points, and its simultaneous interval from/,
  );
  const drawing = pairs.locator("[data-drawing] svg").first();
  const show = page.getByRole("button", { name: /Show \d+ questions? in the table/ });
  await expect(show).toHaveText("Show 60 questions in the table");
  await expect(async () => {
    // The figure is drawn again where others above it change the width of the page.
    await drawing.scrollIntoViewIfNeeded({ timeout: 5000 });
    const box = await drawing.boundingBox();
    if (!box) throw new Error("The figure is not drawn.");
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 0.1 * box.height);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.9 * box.width, box.y + 0.6 * box.height, { steps: 3 });
    await page.mouse.up();
    await expect(show).not.toHaveText("Show 60 questions in the table", { timeout: 1000 });
  }).toPass();
  const count = Number.parseInt(((await show.textContent()) ?? "").replace(/\D+/, ""), 10);
  await show.click();
  await expect(page).toHaveURL(/area=better-002/);
  const counted = page.getByRole("status").filter({ hasText: /^\d+ questions?$/ });
  await expect(counted).toHaveText(`${count} ${count === 1 ? "question" : "questions"}`);
  await page.getByRole("button", { name: "Selected in the figure" }).click();
  await expect(counted).toHaveText("60 questions");

  // Another metric is drawn the same way; only the primary one has an interval.
  await page.getByLabel("Metric of the points").selectOption("METEOR");
  await expect(page.getByLabel("METEOR, Top-k 10: from")).toBeVisible();
  await expect(differences).not.toContainText("simultaneous");
  await expectAccessible(page);
});

test("as good and cheaper: within which margin, and what is saved", async ({ page }) => {
  const card = await cardOf(page, "as-good-and-cheaper");
  await expect(card).toContainText("As good as the baseline, at a lower cost");
  await expect(card.getByRole("heading", { level: 3 })).toHaveText("Similarity ≥ 0.50");
  await expect(card).toContainText("is as good as Top-k 10 (within 2 points) with 60 % fewer passages");
});

test("cannot tell: how many new questions would decide, and where to add them", async ({ page }) => {
  const card = await cardOf(page, "cannot-tell");
  await expect(card.getByRole("heading", { level: 3 })).toHaveText("Cannot tell");
  await expect(card).toContainText(
    /About [\d\s\u202f]+ new questions would decide at the margin of 2 points/,
  );
  await card
    .getByRole("link", { name: /Add .* questions to the 20 that the dataset has and the sweep did not ask/ })
    .click();
  await expect(page).toHaveURL(/\/datasets\/facts/);
});

test("keep the baseline: every other configuration is worse", async ({ page }) => {
  const card = await cardOf(page, "keep-the-baseline");
  await expect(card.getByRole("heading", { level: 3 })).toHaveText("Keep the baseline");
  await expect(card).toContainText("Keep Top-k 10: every other configuration is worse");
  await expect(page.getByRole("table", { name: "Results" }).getByText("worse", { exact: true })).toHaveCount(
    3,
  );
});

test("no verdict: a baseline that failed is named, and its questions are retried", async ({ page }) => {
  const card = await cardOf(page, "baseline-failed");
  await expect(card.getByRole("heading", { level: 3 })).toHaveText("No verdict yet");
  await expect(card).toContainText("24 of 24 questions failed with Top-k 10.");
  await expect(page.getByText("Finished with failures").first()).toBeVisible();
  await card.getByRole("button", { name: "Retry 24 failed questions" }).click();
  // Its scores are made up, so the run that is asked again refuses to go on with another encoder.
  await expect(page.getByText(/The scores of this sweep began with encoder made/).first()).toBeVisible();
});

test("no verdict: a cancelled sweep says what is unfinished, and that its questions are too few", async ({
  page,
}) => {
  const card = await cardOf(page, "cancelled");
  await expect(card).toContainText(/12 of 12 questions are unfinished with Similarity ≥ 0\.50/);
  await expect(card).toContainText("A verdict needs 20");
  await expect(card.getByRole("button", { name: "Resume 31 unfinished questions" })).toBeVisible();
  await expect(page.getByText("The sweep is not finished. These figures will change.")).toBeVisible();
});

test("another primary metric and level: gains in its own unit, in sentence, table and matrix", async ({
  page,
}) => {
  const card = await cardOf(page, "better-meteor");
  await expect(card).toContainText(/METEOR gain \+0\.0\d\d\d \(90 % interval \+0\.0\d\d\d to \+0\.0\d\d\d/);
  await expect(card).not.toContainText("points");
  const table = page.getByRole("table", { name: "Results" });
  await expect(table.getByRole("columnheader", { name: "METEOR gain" })).toBeVisible();
  await expect(table.getByRole("columnheader", { name: /Gain, 90\s% CI/ })).toBeVisible();
  await expect(table.getByRole("row", { name: /recommended/ })).toContainText(/\+0\.0\d\d\d/);
  await page.getByText("Questions", { exact: true }).click();
  await expect(page.getByLabel("Metric", { exact: true })).toHaveValue("METEOR");
});

test("the verdict is read in Bulgarian", async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem("passer.language", "bg"));
  await page.goto("/sweeps/as-good-and-cheaper");
  await expect(
    page.getByText(/е толкова добра, колкото .* \(в рамките на 2 точки\), с 60 % по-малко пасажи/),
  ).toBeVisible();
});

test("runs of different scorers are told apart instead of compared", async ({ page }) => {
  await page.goto("/compare?runs=better-000~other-scorer-000");
  const why = page.getByText(
    "These runs differ in encoder (another, made): they were scored by different scorers. Analyse them separately.",
  );
  await expect(why).toBeVisible();
  await expect(page.getByRole("heading", { name: "Metrics" })).toHaveCount(0);
  await expectStillAccessible(page);
  await expectToFit(page, 360);

  await test.step("runs of one scorer are compared", async () => {
    await page.goto("/compare?runs=better-000~better-002");
    await expect(page.getByRole("heading", { name: "Metrics" })).toBeVisible();
    await expect(why).toHaveCount(0);
  });
});

test("a sweep is renamed, tagged, annotated and archived", async ({ page }) => {
  await page.goto("/sweeps/keep-the-baseline");
  await page.getByRole("button", { name: "Edit details" }).click();
  const dialog = page.getByRole("dialog", { name: "Details of this sweep" });
  await expectAccessible(page);
  await dialog.getByLabel("Name").fill("Losses of every threshold");
  await dialog.getByLabel("Tags").fill("law, second round");
  await dialog.getByLabel("Note").fill("Repeat with other chunks.");
  await dialog.getByLabel("Archived").check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Losses of every threshold");
  await expect(page.getByText("Repeat with other chunks.")).toBeVisible();
  await expectStillAccessible(page);
  await expectToFit(page, 360);
  await page.getByRole("link", { name: "second round" }).click();
  await expect(page).toHaveURL(/tag=second/);
  const table = page.getByRole("table", { name: "Sweeps" });
  await expect(table.getByRole("row", { name: /Losses of every threshold/ })).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page, 360);
  await page.getByRole("link", { name: "Show current sweeps" }).click();
  await expect(page.getByText("No sweeps match these filters.")).toBeVisible();
  await page.getByRole("link", { name: "Show all tags" }).click();
  await expect(table.getByRole("row", { name: /Cannot tell/ })).toBeVisible();
  await expect(table.getByRole("row", { name: /Losses of every threshold/ })).toHaveCount(0);
});
