import { readFile } from "node:fs/promises";
import { expect, expectAccessible, expectStillAccessible, expectToFit, test } from "./fixtures";

test.use({ emptyFor: "main-job" });

const NARROW = 360;

test("from an empty server to one question's passages", async ({ page }) => {
  const failures: string[] = [];
  const bundles: Record<string, Buffer> = {};
  page.on("pageerror", (error) => failures.push(error.message));

  await test.step("the empty state offers an example", async () => {
    await page.goto("/");
    await expect(page.getByRole("heading", { name: "No sweeps yet" })).toBeVisible();
    await expect(page.getByRole("button", { name: /organic farming/ })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
    await page.getByRole("button", { name: /organic farming/ }).click();
  });

  await test.step("the form shows what the sweep will take", async () => {
    await expect(page).toHaveURL(/\/new\?/, { timeout: 90_000 });
    await page.getByRole("button", { name: "Show options" }).click();
    await page.getByLabel("Question limit").fill("6");
    await page.getByLabel("From", { exact: true }).fill("0.3");
    await page.getByLabel("To", { exact: true }).fill("0.6");
    await page.getByLabel("Step", { exact: true }).fill("0.1");
    await page.getByLabel("Baseline k").fill("20");
    // 4 thresholds and the baseline, 6 questions.
    await expect(page.getByText("30 evaluations")).toBeVisible();
    await expect(page.getByText("5 configurations × 6 questions")).toBeVisible();
    await expectStillAccessible(page);
  });

  await test.step("a preview shows what would be kept, and its range can be used", async () => {
    await page.getByRole("button", { name: "Show preview" }).click();
    const preview = page.getByRole("table", { name: "Retrieval preview" });
    await expect(preview.getByRole("row")).toHaveCount(6, { timeout: 60_000 });
    await expect(preview.getByRole("row", { name: /Top-k 20/ })).toContainText("20.0");
    await expect(page.getByText(/No model is called/)).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
    const said = await page.getByText(/Proposed thresholds/).textContent();
    const [, start = "", stop = ""] = /: (\S+) to (\S+) in/.exec(said ?? "") ?? [];
    await page.getByRole("button", { name: "Use range" }).click();
    await expect(page.getByLabel("From", { exact: true })).toHaveValue(String(Number(start)));
    await expect(page.getByLabel("To", { exact: true })).toHaveValue(String(Number(stop)));
    await expect(preview.getByRole("row", { name: new RegExp(`Similarity ≥ ${start}`) })).toBeVisible();
    for (const [field, value] of [
      ["From", "0.3"],
      ["To", "0.6"],
      ["Step", "0.1"],
    ] as const) {
      await page.getByLabel(field, { exact: true }).fill(value);
    }
    await expect(
      page.getByText("The form has changed. The preview shows the previous settings."),
    ).toBeVisible();
    await expect(page.getByText("30 evaluations")).toBeVisible();
  });

  await test.step("a threshold of 1.5 is refused under its field, and nothing typed is lost", async () => {
    await page.getByLabel("To", { exact: true }).fill("1.5");
    await expect(page.getByText("The sweep cannot start")).toBeVisible();
    await expect(page.getByLabel("To", { exact: true })).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByRole("button", { name: "Start sweep" })).toBeDisabled();
    await expectAccessible(page);
    await page.getByLabel("To", { exact: true }).fill("0.6");
    await page.goto("/");
    await page.getByRole("link", { name: "New sweep" }).first().click();
    await expect(page.getByText("30 evaluations")).toBeVisible();
  });

  await test.step("a timing run is asked for with its warm-up, which is refused under its field, and kept on back", async () => {
    await page.getByRole("button", { name: "Show options" }).click();
    await page.getByRole("checkbox", { name: "Timing run" }).check();
    await page.getByLabel("Warm-up questions").fill("2000");
    await page.keyboard.press("Tab");
    await expect(page.getByLabel("Warm-up questions")).toHaveAttribute("aria-invalid", "true");
    await page.getByLabel("Warm-up questions").fill("2");
    await expect(page.getByRole("button", { name: "Start sweep" })).toBeEnabled();
    await expectStillAccessible(page);
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
    await page.goBack();
    await expect(page.getByText(/, timing run/)).toBeVisible();
    await page.getByRole("button", { name: "Show options" }).click();
    await expect(page.getByLabel("Warm-up questions")).toHaveValue("2");
    await page.getByRole("checkbox", { name: "Timing run" }).uncheck();
  });

  await test.step("the sweep runs to its end and gives the table", async () => {
    await page.getByRole("button", { name: "Start sweep" }).click();
    await expect(page).toHaveURL(/\/sweeps\//);
    // Its configurations finish one by one; the recommendation comes when all have.
    const table = page.getByRole("table", { name: "Results" });
    await expect(table).toBeVisible({ timeout: 110_000 });
    await expect(page.getByRole("heading", { name: "Verdict", exact: true })).toBeVisible();
    await expect(page.getByText("Finished")).toBeVisible();
    await expect(table.getByRole("row", { name: /Top-k 20/ })).toContainText("baseline");
    await expect(table.getByRole("row", { name: /Similarity ≥ 0\.30/ })).toBeVisible();
    await expect(page.getByText(/^CPS uses the panel text-1 \(standard metrics\)/).first()).toBeVisible();
    await expect(page.getByRole("img", { name: "CPS by similarity threshold" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Save report" })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("the table downloads as CSV, one line for each configuration", async () => {
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Configurations as CSV" }).click();
    const text = await readFile(await (await download).path(), "utf8");
    expect(text.trim().split(/\r?\n/)).toHaveLength(6);
  });

  await test.step("the sweep is listed", async () => {
    await page.goto("/");
    await expect(page.getByRole("row", { name: /organic-farming: thresholds 0\.30–0\.60/ })).toContainText(
      "Finished",
    );
    await page.getByRole("checkbox", { name: /Select organic-farming: thresholds/ }).check();
    await expect(page.getByRole("toolbar").getByRole("link", { name: "Copy as new sweep" })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
    await page.getByRole("link", { name: /organic-farming: thresholds/ }).click();
  });

  await test.step("a row opens its run: 24 metrics with their n, and the questions", async () => {
    await page
      .getByRole("table", { name: "Results" })
      .getByRole("link", { name: "Similarity ≥ 0.30", exact: true })
      .click();
    await expect(page.getByRole("heading", { level: 1, name: "Similarity ≥ 0.30" })).toBeVisible();
    const metrics = page.getByRole("table", { name: "Metrics" });
    await expect(metrics.getByRole("row")).toHaveCount(25);
    const questions = page.getByRole("table", { name: "Questions" });
    await expect(questions.getByRole("row")).toHaveCount(7);
    await expectAccessible(page);
    await expectToFit(page, NARROW);
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Save bundle" }).click();
    const whole = await readFile(await (await download).path());
    bundles["whole.zip"] = whole;
    expect(whole.subarray(0, 2).toString()).toBe("PK");
    const bare = page.waitForEvent("download");
    await page.getByRole("link", { name: "Save without texts" }).click();
    const withheld = '"question":"","reason":null,"reference":""';
    bundles["bare.zip"] = await readFile(await (await bare).path());
    expect(bundles["bare.zip"].includes(withheld)).toBe(true);
    expect(whole.includes(withheld)).toBe(false);
    const region = page.getByRole("region", { name: "Questions" });
    await questions.getByRole("button", { name: "F1 Score" }).click();
    await expect(page).toHaveURL(/sort=-metric/);
    // The address changes before the server's answer arrives, so the rows are read until they are in order.
    const unsorted = async () => {
      const shown = (await questions.locator("tbody tr td:last-child").allInnerTexts()).map(Number);
      return shown.filter((value, place) => place > 0 && value > (shown[place - 1] ?? Number.NaN));
    };
    await expect.poll(unsorted).toEqual([]);
    await region.getByLabel("Find").fill("zzz");
    await expect(region.getByText("No rows match your search.")).toBeVisible();
    await region.getByLabel("Find").fill("");
    await questions.getByRole("button", { name: "No." }).click();
    await questions.getByRole("button", { name: "No." }).click();
    await expect(page).toHaveURL(/sort=number/);
    await expect(questions.getByRole("row")).toHaveCount(7);
    await questions.getByRole("rowheader").first().getByRole("link").click();
  });

  await test.step("a question shows its passages, the cut, scores and timings", async () => {
    await expect(page.getByRole("heading", { name: "Question 1 of 6" })).toBeVisible();
    await expect(page.getByText("Similarity ≥ 0.30, at most 100 passages")).toBeVisible();
    await expect(page.getByRole("table", { name: "Scores" }).getByRole("row")).toHaveCount(25);
    await page.getByRole("button", { name: "Show prompt" }).click();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("matches of reference and answer are marked, and can be left unmarked", async () => {
    // An answer with lists or headings is shown formatted until its matches are asked for.
    await page.getByRole("checkbox", { name: "Highlight matches" }).setChecked(true);
    await expect(page.getByText(/of the reference answer appear in the answer/)).toBeVisible();
    const inAnswers = page.getByRole("region", { name: "Question", exact: true }).locator("mark");
    await expect(inAnswers).not.toHaveCount(0);
    await page.getByRole("checkbox", { name: "Highlight matches" }).uncheck();
    await expect(inAnswers).toHaveCount(0);
    await page.getByRole("checkbox", { name: "Highlight matches" }).check();
  });

  await test.step("the cut line moves by key: what would be kept, without asking a model", async () => {
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/")) asked.push(request.url());
    });
    const line = page.getByRole("slider", { name: "Similarity threshold" });
    const kept = page.getByText("kept", { exact: true });
    await expect(kept).not.toHaveCount(0);
    const before = await kept.count();
    await line.focus();
    for (let press = 0; press < 5; press++) await page.keyboard.press("ArrowDown");
    await expect(line).toBeFocused();
    await expect(line).toHaveAttribute("aria-valuenow", "0.25");
    await expect(page).toHaveURL(/cut=0\.25/);
    await expect(page.getByRole("status").filter({ hasText: "Similarity ≥ 0.25" })).toContainText(
      /passages? kept \(this run: \d+\)\. Gold passages kept: \d of \d/,
    );
    await expect(page.getByText("this run: Similarity ≥ 0.30, at most 100 passages")).toBeVisible();
    await expect.poll(() => kept.count()).toBeGreaterThan(before);
    await expectStillAccessible(page);
    await expectToFit(page, NARROW);
    await page.keyboard.press("Home");
    await expect(page.getByText(/no passages kept/)).toBeVisible();
    await expect(kept).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(page).not.toHaveURL(/cut=/);
    await expect(kept).toHaveCount(before);
    expect(asked).toEqual([]);
  });

  await test.step("the cut line is dragged, and stays after a reload", async () => {
    const line = page.getByRole("slider", { name: "Similarity threshold" });
    await line.focus();
    await page.keyboard.press("Home");
    await expect(page.getByText(/no passages kept/)).toBeVisible();
    await page.getByRole("heading", { name: "Passages" }).evaluate((heading) => heading.scrollIntoView());
    const start = await line.boundingBox();
    const first = await page.locator("[data-passage]").first().boundingBox();
    if (!start || !first) throw new Error("The list has no line or no passage.");
    await page.mouse.move(start.x + 40, start.y + start.height / 2);
    await page.mouse.down();
    await page.mouse.move(first.x + 40, first.y + first.height, { steps: 8 });
    await page.mouse.up();
    await expect(page).toHaveURL(/cut=/);
    await expect(page.getByText("kept", { exact: true })).toHaveCount(1);
    await page.reload();
    await expect(page.getByText(/: 1 of \d+ passages kept/)).toBeVisible();
    // What arrives above the passages moves the button: a click would begin on it and end beside it.
    await expect(page.getByRole("link", { name: "Similarity ≥ 0.60" })).toHaveCount(2);
    await page.getByRole("button", { name: "Reset to run setting" }).click();
    await expect(page).not.toHaveURL(/cut=/);
  });

  await test.step("a metric's name opens its card, which leads to its definition", async () => {
    await page.getByRole("table", { name: "Scores" }).getByRole("button", { name: "F1 Score" }).click();
    const card = page.getByRole("dialog", { name: "F1 Score" });
    await expect(card.getByText(/Meaning: only shared words count/)).toBeVisible();
    await expect(card.getByText("0 to 1")).toBeVisible();
    await expectAccessible(page);
    await card.getByRole("link", { name: "Definition and source" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Metrics" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "F1 Score" })).toBeInViewport();
    await page.goBack();
    await expect(page.getByRole("heading", { name: "Question 1 of 6" })).toBeVisible();
  });

  await test.step("keys step through the questions and back to the run", async () => {
    await page.keyboard.press("j");
    await expect(page.getByRole("heading", { name: "Question 2 of 6" })).toBeVisible();
    await page.keyboard.press("ArrowLeft");
    await expect(page.getByRole("heading", { name: "Question 1 of 6" })).toBeVisible();
    await page.reload();
    await expect(page.getByRole("heading", { name: "Question 1 of 6" })).toBeVisible();
    await page.keyboard.press("u");
    await expect(page.getByRole("heading", { level: 1, name: "Similarity ≥ 0.30" })).toBeVisible();
  });

  await test.step("the bundles that were saved are verified, also without texts", async () => {
    await page.getByRole("link", { name: "Audit" }).click();
    const said = {
      "whole.zip": "whole.zip: all 6 question records match their digests.",
      "bare.zip":
        "bare.zip: digests, counts and means follow from 6 question records. Their texts are withheld.",
    };
    for (const [name, sentence] of Object.entries(said)) {
      const buffer = bundles[name] ?? Buffer.from("");
      await page.locator("input[type=file]").setInputFiles({ name, mimeType: "application/zip", buffer });
      await expect(page.getByText(sentence)).toBeVisible();
    }
  });

  expect(failures).toEqual([]);
});

test("an address that leads nowhere says so", async ({ page }) => {
  await page.goto("/sweeps/000000000000");
  await expect(page.getByRole("alert")).toContainText("000000000000");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  await page.goto("/runs/000000000000-000/questions/1");
  await expect(page.getByRole("alert")).toContainText("000000000000");
  await page.goto("/no/such/page");
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await expectAccessible(page);
});
