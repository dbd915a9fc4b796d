import { readFileSync } from "node:fs";
import type { Response } from "@playwright/test";
import { expect, expectAccessible, expectStillAccessible, expectToFit, test } from "./fixtures";
import { finishedSweep, loadExample } from "./sweeps";

test("a sweep is judged: plan, limit, resuming, the table, and one judgement verbatim", async ({
  page,
  request,
}) => {
  await loadExample(request);
  const sweep = await finishedSweep(request, "To be judged", 3);

  await test.step("the plan says what is asked before anything is", async () => {
    await page.goto(`/sweeps/${sweep}?view=judged`);
    await page.getByRole("combobox", { name: "Judge", exact: true }).click();
    await expect(page.getByRole("option", { name: /Extractive/ })).toHaveCount(0);
    await page.getByRole("option", { name: /^mistral/ }).click();
    await page.getByRole("button", { name: "Clear all" }).or(page.getByLabel("Metrics")).first().click();
    for (let left = 2; left > 0; left--) await page.keyboard.press("Backspace");
    await page.getByRole("option", { name: "Answer correctness", exact: true }).click();
    await page.keyboard.press("Escape");
    await page.getByLabel("Price of input").fill("1");
    await page.getByLabel("Price of output").fill("2");
    await expect(page.getByText("Distinct answers")).toBeVisible();
    await expect(page.getByText(/^at most 0\.\d\d$/)).toBeVisible();
    const budget = page.getByRole("textbox", { name: "Budget" });
    await budget.fill("plenty");
    await expect(page.getByText("“plenty” is not a budget.").first()).toBeVisible();
    await budget.fill("1-asks");
    await expectAccessible(page);
    await expectToFit(page, 360);
  });

  await test.step("it pauses at its limit, and resumes", async () => {
    await page.getByRole("button", { name: "Start assessment" }).click();
    const judged = page.getByRole("region", { name: "Judged by mistral:latest" });
    await expect(judged.getByText(/budget is used up after 1 request/)).toBeVisible();
    await judged.getByRole("button", { name: "Resume without a limit" }).click();
    await expect(judged.getByText("Finished")).toBeVisible();
    const table = judged.getByRole("table");
    await expect(table.getByRole("row", { name: /Answer correctness.*uncalibrated/ }).first()).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, 360);
  });

  await test.step("people rate a random sample, and the judge is compared with them", async () => {
    const own = page.getByRole("region", { name: "Your own ratings" });
    // Not 40: the sweep asked three questions, each of three configurations.
    await expect(own.getByLabel("Questions to draw")).toHaveValue("3");
    await expect(own.getByText(/^At most 9 answers to rate/)).toBeVisible();
    await own.getByRole("button", { name: "Draw questions" }).click();
    await expect(own.getByText("Not rated yet.")).toBeVisible();
    const [sheet] = await Promise.all([
      page.waitForEvent("download"),
      own.getByRole("link", { name: "Save answers as CSV" }).click(),
    ]);
    const items = [...readFileSync(await sheet.path(), "utf8").matchAll(/^([0-9a-f]{64}),/gm)];
    const rated = (rows: string[]) => ({
      name: "rated.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(["item,value", ...rows].join("\n")),
    });
    await own.getByLabel("Name of the rater").fill("ana");
    const file = own.locator("input[type=file]");
    await file.setInputFiles(rated(["nothing,1"]));
    await expect(own.getByText(/Row 1.*does not belong to the draw/)).toBeVisible();
    await file.setInputFiles(rated(items.map(([, item], place) => `${item},${place % 2}`)));
    await expect(own.getByText(/^ana: \d+ of \d+ rated$/)).toBeVisible();
    const compared = page.getByRole("region", { name: "Calibration: Answer correctness" });
    await expect(compared.getByText("Bias (judge minus people)")).toBeVisible();
    await expect(compared.getByRole("table", { name: "Values of people and judge" })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, 360);
  });

  await test.step("a person rates by keyboard, blind until each rating is saved", async () => {
    const own = page.getByRole("region", { name: "Your own ratings" });
    const listed = await (await request.get(`/api/v1/assessments?sweep=${sweep}`)).json();
    const { id, spec } = listed.items[0].assessment;
    const link = await own.getByRole("link", { name: "Rate answers here" }).getAttribute("href");
    const seen: Promise<string>[] = [];
    const keep = (response: Response) => {
      if (response.url().includes("/api/") || response.request().isNavigationRequest())
        seen.push(response.text().catch(() => ""));
    };
    // What the page before has asked for does not count.
    await page.goto("about:blank");
    page.on("response", keep);
    await page.goto(link ?? "");
    await page.getByLabel("Name of the rater").fill("ben");
    await page.keyboard.press("Enter");
    await expect(page.getByText(/^0 of \d+ rated, 0 skipped$/)).toBeVisible();
    await expect(page.getByRole("region", { name: /^Answer 1 of/ })).toBeFocused();
    await expectAccessible(page);
    await expectToFit(page, 360);
    await page.keyboard.press("ArrowRight");
    await expect(page.getByRole("region", { name: /^Answer 2 of/ })).toBeVisible();
    await page.reload();
    await expect(page.getByRole("region", { name: /^Answer 2 of/ })).toBeVisible();
    await expect(page.getByText(/, 1 skipped$/)).toBeVisible();
    page.off("response", keep);
    const texts = [await page.content(), ...(await Promise.all(seen))];
    expect(texts.length).toBeGreaterThan(4);
    for (const sign of [id, sweep, ...spec.runs, '"judge":{', "min_similarity"])
      for (const text of texts) expect(text).not.toContain(sign);
    await page.keyboard.press("2");
    await expect(page.getByRole("button", { name: /Little of the reference/ })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    await page.keyboard.press("ControlOrMeta+Enter");
    await expect(
      page.getByText(/^mistral:latest: \d\.\d\d.*\. You: 0\.30 \(Little of the reference.*\)\.$/),
    ).toBeVisible();
    await page.getByRole("button", { name: "Keep my rating" }).click();
    await expect(page.getByText(/Only your first rating/)).toBeVisible();
    await page.evaluate(() => localStorage.setItem("passer.language", "bg"));
    await page.reload();
    await expect(page.getByRole("button", { name: "Следващ отговор" })).toBeVisible();
    await expectStillAccessible(page);
    await expectToFit(page, 360);
    await page.evaluate(() => localStorage.setItem("passer.language", "en"));
  });

  await test.step("a rating is proposed for an answer that differs only in its passages, until it is confirmed", async () => {
    const draw = new URL(page.url()).pathname.replace("/rate/", "/api/v1/labels/draws/");
    const rated = (rater: string) => ({ params: { rater } });
    const { places } = await (await request.get(`${draw}/queue`, rated("eva"))).json();
    const answers: string[] = [];
    for (const { item } of places)
      answers.push((await (await request.get(`${draw}/items/${item}`, rated("eva"))).json()).answer);
    const later = answers.findIndex((text, place) => answers.indexOf(text) < place);
    const first = answers.indexOf(answers[later] ?? "");
    await request.post(`${draw}/items/${places[first].item}`, { data: { rater: "eva", value: 0.7 } });
    await page.goto(`${new URL(page.url()).pathname}?rater=eva&at=${later + 1}`);
    await expect(
      page.getByText(/^You rated an equal answer before: 0\.70 \(Correct, with small/),
    ).toBeVisible();
    const proposed = page.getByRole("button", { name: /^4 Correct, with small/ });
    await expect(proposed).toHaveAttribute("aria-pressed", "true");
    await expect(page.getByText(/^mistral:latest: /)).toHaveCount(0);
    await page.getByRole("button", { name: "Save rating" }).click();
    await expect(page.getByText(/You: 0\.70/)).toBeVisible();
    await expect(page.getByText(/^You rated an equal answer/)).toHaveCount(0);
  });

  await test.step("CPS is compared with one's own choices between answers", async () => {
    await page.goto(`/sweeps/${sweep}`);
    await page.getByRole("link", { name: "CPS and your judgement" }).click();
    await expect(page.getByText(/^Pair 1 of \d$/)).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, 360);
    await page.keyboard.press("1");
    await page.reload();
    await expect(
      page.getByRole("button", { name: "Undo last choice" }).or(page.getByText(/^You and CPS/)),
    ).toBeVisible();
    const result = page.getByText(/^You and CPS prefer the same answer in \d of \d pairs/);
    await expect(async () => {
      await page.keyboard.press("2");
      await expect(result).toBeVisible({ timeout: 500 });
    }).toPass({ timeout: 30_000 });
    await expectStillAccessible(page);
    await expectToFit(page, 360);
    await page.goto(`/sweeps/${sweep}?view=judged`);
  });

  await test.step("the run shows the judged column beside its 24, and each question", async () => {
    await page.getByRole("table", { name: "Judged by mistral:latest" }).getByRole("link").first().click();
    await expect(page).toHaveURL(/\/runs\//);
    const judged = page.getByRole("region", { name: "Judged by mistral:latest" });
    await judged.getByText("Values of each question").click();
    await expectToFit(page, 360);
    await judged.getByRole("table", { name: "Judged questions" }).getByRole("link").first().click();
    await expect(page).toHaveURL(/\/questions\/1$/);
  });

  await test.step("one judgement is read from its question to the verbatim reply", async () => {
    const judged = page.getByRole("region", { name: "Judged by mistral:latest" });
    await expect(judged.getByRole("heading", { name: "Task correctness" })).toBeVisible();
    await expect(judged.getByText("grade", { exact: true })).toBeVisible();
    await judged.getByText("Prompt and verbatim reply").click();
    await expect(judged.getByText(/^Grade how well the answer agrees/)).toBeVisible();
    await expect(judged.getByText(/^\{"a_reason":/)).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, 360);
  });
});
