import { readFileSync } from "node:fs";
import type { APIRequestContext } from "@playwright/test";
import { test as base, expect, expectAccessible, expectToFit } from "./fixtures";
import { ModelServer } from "./model-server";
import { Server } from "./server";
import { finishedSweep, loadExample } from "./sweeps";

const COLUMN = "Answer correctness";
const JUDGE = { provider: "ollama", name: "mistral:latest" };
const models = new ModelServer({ tunable: true });

const test = base.extend<{ baseURL: string }, { tuned: Server }>({
  tuned: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern
    async ({}, use) => {
      await models.start();
      const server = new Server({ models: models.address });
      await server.start();
      await use(server);
      await server.stop();
      server.remove();
      await models.stop();
    },
    { scope: "worker", timeout: 90_000 },
  ],
  baseURL: async ({ tuned }, use) => {
    await use(tuned.address);
  },
});

/** Judge a sweep in one column, to the end; the id of the assessment. */
async function judge(request: APIRequestContext, sweep: string, column: string): Promise<string> {
  const created = await request.post("/api/v1/assessments", {
    data: { target: sweep, judge: JUDGE, columns: [column] },
  });
  const { id } = (await created.json()).assessment;
  const state = async () => (await (await request.get(`/api/v1/assessments/${id}`)).json()).job.state;
  await expect.poll(state, { timeout: 60_000 }).toBe("finished");
  return id;
}

/** Rate each answer of an assessment. */
async function rate(
  request: APIRequestContext,
  assessment: string,
  column: string,
  value: (row: { question: string; reference: string }, place: number) => number,
): Promise<void> {
  const drawn = await request.post("/api/v1/labels/draws", { data: { assessment, column, questions: 24 } });
  const draw = `/api/v1/labels/draws/${(await drawn.json()).id}`;
  const lines = (await (await request.get(`${draw}/sheet?format=jsonl`)).text()).trim().split("\n");
  const rows = lines.map((line, place) => {
    const row = JSON.parse(line);
    return `${row.item},${value(row, place)}`;
  });
  const buffer = Buffer.from(["item,value", ...rows].join("\n"));
  const imported = await request.post(`${draw}/labels`, {
    multipart: { rater: "ana", file: { name: "rated.csv", mimeType: "text/csv", buffer } },
  });
  expect(imported.status()).toBe(200);
}

/** A sweep of 24 questions, judged, with a rating of each answer: the length of the reference modulo 11, of 10. */
async function ratedSweep(request: APIRequestContext): Promise<string> {
  await loadExample(request);
  const sweep = await finishedSweep(request, "To tune by", 24);
  const assessment = await judge(request, sweep, COLUMN);
  await rate(request, assessment, COLUMN, ({ reference }) => ([...reference.trim()].length % 11) / 10);
  return sweep;
}

test("a judge is tuned by ratings without a shell, and judges by the tuned task", { tag: "@soak" }, async ({
  page,
  request,
}) => {
  const sweep = await ratedSweep(request);
  await page.goto(`/sweeps/${sweep}?view=judged`);
  const tuning = page.getByRole("region", { name: "Tuning", exact: true });

  await test.step("the plan says how the ratings are split, and refuses what they do not allow", async () => {
    await tuning.getByRole("button", { name: "Tune the judge" }).click();
    await tuning.getByLabel("Worked examples").fill("16");
    await expect(tuning.getByText(/for selection and \d+ for the test/)).toBeVisible();
    await expect(tuning.getByRole("button", { name: "Start tuning" })).toBeDisabled();
    await tuning.getByLabel("Worked examples").fill("0");
    await tuning.getByLabel("Instructions to compare").fill("2");
    await expect(tuning.getByText("Rated answers for selection")).toBeVisible();
    await tuning.getByRole("textbox", { name: "Budget" }).fill("3-asks");
    await expectAccessible(page);
    await expectToFit(page, 360);
  });

  await test.step("it pauses at its limit and resumes from the page", async () => {
    await tuning.getByRole("button", { name: "Start tuning" }).click();
    const made = tuning.getByRole("region", { name: `Tuning of ${COLUMN}` });
    await expect(made.getByText(/budget is used up after \d+ requests/)).toBeVisible();
    await made.getByRole("button", { name: "Resume without a limit" }).click();
    await expect(
      made.getByText(/^On \d+ other rated answers: Spearman’s ρ .* before, 1\.00 after/),
    ).toBeVisible();
    await expect(made.getByRole("row", { name: /Grade strictly.*chosen/ })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, 360);
  });

  const path = await test.step("the task file is saved", async () => {
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      tuning.getByRole("button", { name: "Save task file" }).click(),
    ]);
    const saved = await file.path();
    expect(JSON.parse(readFileSync(saved, "utf8")).task.instruction).toMatch(/^Grade strictly/);
    return saved;
  });

  await test.step("its task judges the sweep, and is calibrated without the questions that chose it", async () => {
    await tuning.getByRole("button", { name: "Judge with this task" }).click();
    await expect(page.getByText("Distinct answers")).toBeVisible();
    await page.getByRole("button", { name: "Start assessment" }).click();
    await expect(page.getByText(/^Judged by a tuned task\. On \d+ other rated answers/)).toBeVisible();
    await expect(page.getByRole("region", { name: `Calibration: ${COLUMN}` })).toBeVisible();
    await expect(
      page.getByText(
        /answers are left out: the judge’s task was tuned|answers are left out: the judge's task was tuned/,
      ),
    ).toBeVisible();
  });

  await test.step("a task file is chosen in the form; another file is refused", async () => {
    await page.getByRole("button", { name: "New assessment" }).click();
    const file = page.locator("input[type=file][accept*=json]").last();
    const other = { name: "other.json", mimeType: "application/json", buffer: Buffer.from("[]") };
    await file.setInputFiles(other);
    await expect(page.getByText("This is not a task file.", { exact: false })).toBeVisible();
    await expect(page.getByRole("button", { name: "Start assessment" })).toBeDisabled();
    await file.setInputFiles(path);
    await expect(page.getByText("This is not a task file.", { exact: false })).toHaveCount(0);
    await page.getByRole("combobox", { name: "Judge", exact: true }).last().click();
    await page.getByRole("option", { name: /^mistral:latest \(/ }).click();
    await expect(page.getByText(/, reused without a request$/)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Start assessment" }).click();
    await expect(page.getByText(/^Judged by a tuned task\./)).toBeVisible();
    const listed = await (await request.get(`/api/v1/assessments?sweep=${sweep}`)).json();
    expect(listed.items).toHaveLength(3);
    expect(listed.items[0].assessment.spec.tuned.task.instruction).toMatch(/^Grade strictly/);
  });

  await test.step("ratings of this sweep correct verdicts about another one that nobody has rated", async () => {
    const decided = await judge(request, sweep, "Answerability");
    // The judge decides by the length of the question; people say otherwise of each fifth answer. The other sweep has
    // answers of its own, because equal answers share their ratings.
    await rate(request, decided, "Answerability", ({ question }, place) =>
      place % 5 === 0 ? 1 - ([...question].length % 2) : [...question].length % 2,
    );
    const other = await finishedSweep(request, "Not rated", 8, JUDGE.name);
    await judge(request, other, "Answerability");
    await page.goto(`/sweeps/${other}?view=judged`);
    const carried = page.getByRole("region", { name: "Answerability, corrected by ratings of To tune by" });
    await expect(carried.getByText(/ratings of To tune by \(Rogan-Gladen\)/)).toBeVisible();
    await expect(carried.getByText("People’s “yes” that the judge confirms")).toBeVisible();
    const two = page.getByRole("region", { name: "Two metrics against each other" });
    await two.getByRole("combobox", { name: "Other metric" }).click();
    const metrics = page.getByRole("listbox", { name: "Other metric" });
    await metrics.getByRole("option", { name: "F1 Score", exact: true }).click();
    await expect(two.getByText("Answers with both values")).toBeVisible();
    await expect(carried.getByRole("row", { name: /0\.\d+ to 0\.\d+/ }).first()).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, 360);
  });

  await test.step("in Bulgarian", async () => {
    await page.evaluate(() => localStorage.setItem("passer.language", "bg"));
    await page.goto(`/sweeps/${sweep}?view=judged`);
    await expect(page.getByRole("region", { name: "Настройване", exact: true })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, 360);
  });
});
