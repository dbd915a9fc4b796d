import { readFile } from "node:fs/promises";
import { choose, expect, expectAccessible, expectStillAccessible, expectToFit, test } from "./fixtures";
import { EXAMPLE, finishedSweep, loadExample, untilFinished } from "./sweeps";

const NARROW = 360;

test("runs are found, compared and followed to a question", async ({ page, request, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const failures: string[] = [];
  page.on("pageerror", (error) => failures.push(error.message));

  await test.step("without runs the pages say what to do", async () => {
    await page.goto("/compare");
    await expect(page.getByRole("heading", { name: /^No runs (yet|selected)$/ })).toBeVisible();
    await expect(page.getByRole("link", { name: /Create sweep|Choose runs/ })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await loadExample(request);
  await finishedSweep(request, "Varied settings");
  const runs = page.getByRole("table", { name: "Runs" });

  await test.step("the list of runs is found, sorted and chosen from; the address holds how", async () => {
    await page.goto("/");
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    // The list of sweeps, which is left, has a field of the same name.
    await expect(runs).toBeVisible();
    await page.getByLabel("Find").fill("varied");
    await expect(page).toHaveURL(/find=varied/);
    await expect(runs.getByRole("row")).toHaveCount(4);
    // CPS comes after the list itself.
    await expect(runs.getByRole("row", { name: /Similarity ≥ 0\.40/ })).toContainText(/0\.\d{4}/);
    await runs.getByRole("button", { name: "Run", exact: true }).click();
    await expect(runs.getByRole("rowheader").first()).toContainText("0.40");
    await runs.getByRole("button", { name: "Run", exact: true }).click();
    await expect(runs.getByRole("rowheader").first()).toContainText("Top-k");
    await page.reload();
    await expect(runs.getByRole("rowheader").first()).toContainText("Top-k");
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("columns are chosen, and the table is copied as CSV", async () => {
    await page.getByRole("button", { name: "Choose columns" }).click();
    await page.getByRole("checkbox", { name: "Collection" }).check();
    await page.getByRole("checkbox", { name: "Compact rows" }).check();
    await page.keyboard.press("Escape");
    await expect(runs.getByRole("columnheader", { name: "Collection" })).toBeVisible();
    await page.getByRole("button", { name: "Copy as CSV" }).click();
    // What writes the table is loaded when the button is pressed.
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toContain("Run,Sweep,State");
    expect((await copied()).split("\r\n")).toHaveLength(4);
  });

  await test.step("two are ticked by key and compared", async () => {
    await page.getByRole("checkbox", { name: /Select Top-k/ }).focus();
    await page.keyboard.press("Space");
    await page.getByRole("checkbox", { name: /Select Similarity ≥ 0\.60/ }).focus();
    await page.keyboard.press("Space");
    await expectStillAccessible(page);
    await page.getByRole("link", { name: "Compare", exact: true }).last().click();
    await expect(page).toHaveURL(/\/compare\?runs=/);
    await expect(page.getByText("Controlled: only retrieval differs.")).toBeVisible();
    const metrics = page.getByRole("table", { name: "Metrics" });
    // Two lines of headings, CPS and the 24 columns.
    await expect(metrics.getByRole("row")).toHaveCount(27);
    await expect(metrics.getByRole("row", { name: /^CPS/ })).toContainText(/0\.\d{4}/);
    await expect(page.getByText(/CPS uses the panel phase3/)).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("a third run is added, and another baseline chosen", async () => {
    await page.getByRole("combobox", { name: "Add a run" }).fill("0.40");
    await page.getByRole("option", { name: /Similarity ≥ 0\.40.*Varied settings/ }).click();
    await page.getByRole("button", { name: "Use Similarity ≥ 0.60 as baseline" }).click();
    await expect(page).toHaveURL(/baseline=/);
    const metrics = page.getByRole("table", { name: "Metrics" });
    await expect(metrics.getByRole("columnheader", { name: /Difference: Top-k/ })).toBeVisible();
    await expectStillAccessible(page);
  });

  await test.step("the baseline is dragged to the left, and metrics are read as bars", async () => {
    const runs = page.getByRole("list", { name: "Compared runs" }).getByRole("listitem");
    await runs.filter({ hasText: "0.40" }).dragTo(runs.first());
    await expect(runs.first()).toContainText(/0\.40.*baseline/);
    const region = page.getByRole("region", { name: "Metrics", exact: true });
    await region.getByText("Bars", { exact: true }).click();
    const card = region.getByRole("region", { name: "METEOR", exact: true });
    await expect(card).toContainText(/\d+ improved, \d+ worse, \d+ the same/);
    await card.getByRole("button", { name: "METEOR", exact: true }).click();
    await expect(page.getByRole("dialog")).toContainText("Limitations");
    await page.keyboard.press("Escape");
    await expectAccessible(page);
    await expectToFit(page, NARROW);
    await region.getByText("Table", { exact: true }).click();
  });

  await test.step("what is compared is seen as figures, and saved with its tables", async () => {
    const effects = page.getByRole("region", { name: "Effect size by metric" });
    await expect(effects.locator("svg g[aria-label=bar]").first()).toBeVisible();
    await effects.getByText("Table", { exact: true }).click();
    await expect(effects.getByRole("columnheader", { name: "Cohen’s d" })).toBeVisible();
    await expect(page.getByRole("region", { name: "CPS gain over the baseline" })).toBeVisible();
    for (const [name, format, file] of [
      ["Metrics", "LaTeX", "compared_metrics.tex"],
      ["Differences in configuration", "CSV", "factors.csv"],
      ["Questions with the largest change", "XLSX", "changed_questions.xlsx"],
    ] as const) {
      const download = page.waitForEvent("download");
      await page.getByRole("link", { name: `Save ${name} as ${format}` }).click();
      const saved = await download;
      expect(saved.suggestedFilename()).toBe(file);
      expect((await readFile(await saved.path())).length).toBeGreaterThan(20);
    }
  });

  await test.step("the metrics are sorted and found in the address, beside another table", async () => {
    const metrics = page.getByRole("table", { name: "Metrics" });
    const region = page.getByRole("region", { name: "Metrics", exact: true });
    await region.getByLabel("Find").fill("rouge");
    await expect(page).toHaveURL(/metricsFind=rouge/);
    await expect(metrics.getByRole("row")).toHaveCount(11);
    await page.reload();
    await expect(metrics.getByRole("row")).toHaveCount(11);
    await region.getByLabel("Find").fill("");
    await expect(metrics.getByRole("row")).toHaveCount(27);
  });

  await test.step("a metric leads to the questions behind its difference, and one of them to its passages", async () => {
    await page.getByRole("table", { name: "Metrics" }).getByRole("link", { name: "F1 Score" }).click();
    await expect(page).toHaveURL(/metric=F1/);
    const changed = page.getByRole("table", { name: "Questions with the largest change" });
    await expect(changed).toBeInViewport();
    await expect(changed.getByRole("row")).toHaveCount(9);
    await page.getByText("Largest decrease", { exact: true }).click();
    await expect(page).toHaveURL(/order=fall/);
    await changed.getByRole("rowheader").first().getByRole("link").click();
    await expect(page.getByRole("heading", { name: /Question \d of 8/ })).toBeVisible();
    await page.getByRole("button", { name: /Good answer/ }).click();
    await expect(page.getByRole("button", { name: /Good answer \([1-9]/ })).toBeVisible();
    await page.goBack();
    await expect(page.getByLabel("Metric", { exact: true })).toHaveValue("F1 Score");
  });

  await test.step("its dataset shows the means of every sweep by date, and the feedback of readers", async () => {
    await page.goto(`/datasets/${EXAMPLE}`);
    await expect(page.getByRole("region", { name: "Over time: F1 Score" })).toContainText("Top-k");
    await choose(page.getByRole("combobox", { name: "Metric over time" }), "Good answers by feedback");
    const feedback = page.getByRole("region", { name: "Over time: good answers by feedback" });
    await feedback.getByText("Table", { exact: true }).click();
    await expect(feedback.getByRole("table")).toContainText("1.0000");
    await expectToFit(page, 360);
  });

  expect(failures).toEqual([]);
});

test("a sweep's figures and tables are seen, read and saved", { tag: "@soak" }, async ({ page, request }) => {
  const failures: string[] = [];
  page.on("pageerror", (error) => failures.push(error.message));
  await loadExample(request);
  const sweep = await finishedSweep(request, "Drawn");

  await test.step("the sweep's figures are seen, read as a table, and saved", async () => {
    await page.goto(`/sweeps/${sweep}`);
    await expect(page.getByRole("img", { name: "CPS by similarity threshold" })).toBeVisible();
    await page.getByRole("link", { name: "Open analysis" }).click();
    const region = page.getByRole("region", { name: "CPS by similarity threshold" });
    await expect(region.locator("svg g[aria-label=dot]").first()).toBeVisible();
    await expect(page.getByRole("region", { name: /Rank correlation/ }).first()).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
    await region.getByText("Table", { exact: true }).click();
    await expect(region.getByRole("table").getByRole("row")).toHaveCount(4);
    for (const [format, start] of [
      ["SVG", "<?xml"],
      ["PNG", "\u0089PNG"],
      ["CSV", "Series,"],
    ] as const) {
      const download = page.waitForEvent("download");
      await region.getByRole("button", { name: `Save CPS by similarity threshold as ${format}` }).click();
      const file = await download;
      expect(file.suggestedFilename()).toBe(`cps.${format.toLowerCase()}`);
      expect((await readFile(await file.path(), "latin1")).slice(0, start.length)).toBe(start);
    }
  });

  await test.step("tables are chosen and saved, and the report is one file", async () => {
    const tables = page.getByRole("region", { name: "Tables" });
    await expect(tables.getByRole("table", { name: "Configurations" }).getByRole("row")).toHaveCount(4);
    for (const [format, name] of [
      ["LaTeX", /\.tex$/],
      ["XLSX", /\.xlsx$/],
    ] as const) {
      const download = page.waitForEvent("download");
      await tables.getByRole("link", { name: `Save Configurations as ${format}` }).click();
      expect((await download).suggestedFilename()).toMatch(name);
    }
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Save report" }).click();
    expect(await readFile(await (await download).path(), "utf8")).toContain("<html");
  });

  await test.step("k or threshold? A run's Normal twin is added, and the test is told on the run", async () => {
    await page.goto(`/sweeps/${sweep}`);
    await page.getByRole("link", { name: "Similarity ≥ 0.40" }).first().click();
    const run = page.url();
    await page.getByRole("button", { name: "Compare with fixed k" }).click();
    await expect(
      page.getByRole("heading", { level: 1, name: /^k or threshold: Similarity ≥ 0\.40/ }),
    ).toBeVisible();
    await untilFinished(page.request, page.url().split("/").pop() ?? "");
    // A heading and two configurations.
    await expect(page.getByRole("table", { name: "Results" }).getByRole("row")).toHaveCount(3);
    await page.goto(run);
    const outcome = page.getByRole("region", { name: "Fixed k vs. threshold" });
    // Eight questions are too few for an interval.
    await expect(outcome).toContainText(/No test against Top-k \d+: Fewer than 10 questions differ/);
    await expectAccessible(page);
    await expectToFit(page, NARROW);
    await outcome.getByRole("link", { name: "Open test" }).click();
    await expect(page.getByRole("heading", { level: 1, name: /^k or threshold:/ })).toBeVisible();
  });

  expect(failures).toEqual([]);
});

test("one question is asked on the spot, and its passages, prompt, answer and scores are shown", async ({
  page,
  request,
}) => {
  await loadExample(request);
  await page.goto("/");
  await page.getByRole("link", { name: "Try a question" }).click();
  await expectStillAccessible(page);
  await expectToFit(page, NARROW);
  const question = page.getByRole("textbox", { name: "Question" });
  await question.fill("What does the Nature Restoration Regulation require?");
  await page.getByLabel("Similarity threshold", { exact: true }).fill("3");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await expect(page.getByLabel("Similarity threshold", { exact: true })).toHaveAttribute(
    "aria-invalid",
    "true",
  );
  await expect(question).toHaveValue("What does the Nature Restoration Regulation require?");
  await page.getByLabel("Similarity threshold", { exact: true }).fill("0.4");
  await page.getByLabel("Reference answer").fill("Restoration measures on land and sea.");
  await question.press("Enter");
  await expect(page.getByText(`Answer of extractive, passages from biodiversity-policy`)).toBeVisible();
  await expect(page.locator("[data-passage]").first()).toContainText(/0\.\d{4}/);
  await expect(page.getByRole("table", { name: "Scores" }).getByRole("row")).toHaveCount(25);
  const line = page.getByRole("slider", { name: "Similarity threshold" });
  await line.focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByText(/passages? kept \(this run/).first()).toBeVisible();
  await page.getByRole("button", { name: "Show prompt" }).click();
  await expectAccessible(page);
  await expectToFit(page, NARROW);
  await page.reload();
  await expect(question).toHaveValue("What does the Nature Restoration Regulation require?");

  const conversation = page.getByRole("region", { name: "Conversation" });
  await expect(conversation.getByRole("listitem")).toHaveCount(1);
  await question.fill("Which habitats are restored?");
  await question.press("Enter");
  await expect(conversation.getByRole("listitem")).toHaveCount(2);
  await conversation.getByRole("button", { name: "What does the Nature Restoration" }).click();
  await expect(page.getByRole("table", { name: "Scores" }).getByRole("row")).toHaveCount(25);
  // Thumbs belong to the answer that is shown, also after a reload.
  await page.getByRole("button", { name: "Bad answer (0)" }).click();
  await expect(page.getByRole("button", { name: "Bad answer (1)" })).toBeVisible();
  await conversation.getByRole("button", { name: "Which habitats are restored?" }).click();
  await expect(page.getByRole("button", { name: "Bad answer (0)" })).toBeVisible();
  const download = page.waitForEvent("download");
  await conversation.getByRole("button", { name: "Save conversation" }).click();
  const saved = JSON.parse(await readFile(await (await download).path(), "utf-8"));
  expect(saved.map(({ asked }: { asked: { question: string } }) => asked.question)).toEqual([
    "What does the Nature Restoration Regulation require?",
    "Which habitats are restored?",
  ]);
  await conversation.getByRole("button", { name: "Clear conversation" }).click();
  await expect(conversation).toBeHidden();
});
