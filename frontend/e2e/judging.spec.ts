import { readFileSync } from "node:fs";
import { expect, expectAccessible, expectToFit, modelledTest as test } from "./fixtures";
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
    await page.getByLabel("Request limit").fill("1");
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
    await own.getByLabel("Questions to draw").fill("3");
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
