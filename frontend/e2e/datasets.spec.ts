import { readFile } from "node:fs/promises";
import { expect, expectAccessible, expectStillAccessible, expectToFit, test } from "./fixtures";

test.use({ emptyFor: "data" });

const NARROW = 360;
const NAME = "e2e-questions";

const GOLD = [{ document: "soil.md", quote: "Clover binds nitrogen from the air." }];
const ROWS = Array.from({ length: 120 }, (_, i) => ({
  id: `q${i + 1}`,
  question: i === 110 ? "What does clover bind in the soil?" : `What is number ${i + 1}?`,
  ground_truth: i === 110 ? "Nitrogen from the air." : "A number.",
  gold_passages: i === 110 ? GOLD : [],
}));

const json = (name: string, rows: unknown) => ({
  name,
  mimeType: "application/json",
  buffer: Buffer.from(JSON.stringify(rows)),
});

test("a dataset is looked at, taken, read, downloaded and deleted", async ({ page }) => {
  const drop = page.locator("input[type=file]");
  let saved = "";

  await test.step("the empty state says what to do, with the examples one click away", async () => {
    await page.goto("/");
    await page.getByRole("link", { name: "Datasets" }).click();
    await expect(page.getByRole("heading", { name: "No datasets yet" })).toBeVisible();
    await expect(page.getByRole("button", { name: /organic farming/ })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("a bad row is named before anything is taken", async () => {
    await drop.setInputFiles(json("bad.json", [...ROWS, { id: "q1", question: "", ground_truth: "x" }]));
    await expect(page.getByRole("alert")).toContainText("Row 121");
    await expect(page.getByText("0 without a reference answer")).toBeVisible();
    await expect(page.getByRole("button", { name: "Skip 1 bad row and import 120" })).toBeEnabled();
    await expectToFit(page, NARROW);
  });

  await test.step("columns that are not known are chosen one by one; then the file can be imported", async () => {
    const rows = ROWS.slice(0, 2).map(({ question, ground_truth }) => ({
      question,
      contexts: ["x"],
      answer: ground_truth,
      remarks: "-",
    }));
    await drop.setInputFiles(json("answers.json", rows));
    await expect(page.getByText("Some columns are not recognised")).toBeVisible();
    await page.getByRole("combobox", { name: "remarks is imported as" }).selectOption("Not imported");
    await page.getByRole("combobox", { name: "answer is imported as" }).selectOption("reference");
    await expect(page.getByRole("button", { name: "Import 2 questions" })).toBeEnabled();
    await expect(page.getByRole("combobox", { name: "remarks is imported as" })).toHaveValue("");
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("a good file shows its mapping, is taken, and opens", async () => {
    await drop.setInputFiles(json(`${NAME}.json`, ROWS));
    await expect(page.getByRole("combobox", { name: "ground_truth is imported as" })).toHaveValue(
      "reference",
    );
    await page.getByRole("button", { name: "Import 120 questions" }).click();
    await expect(page).toHaveURL(new RegExp(`/datasets/${NAME}$`));
    await expect(page.getByText("1 of 120", { exact: true })).toBeVisible();
    const words = page.getByRole("row", { name: /Words per question/ });
    await expect(words).toContainText(/4\s*4\.0\s*4\.0\s*7\s*120/);
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("only the questions in view are drawn; all of them are scrolled to, and found by their words", async () => {
    const table = page.getByRole("table", { name: "Questions" });
    await expect(table).toHaveAttribute("aria-rowcount", "121");
    await expect(table.getByRole("rowheader").first()).toHaveText("What is number 1?");
    expect(await table.getByRole("row").count()).toBeLessThan(60);
    await table.locator("..").evaluate((frame) => frame.scrollTo(0, frame.scrollHeight));
    await expect(table.getByRole("rowheader").last()).toHaveText("What is number 120?");
    await expect(table.getByRole("columnheader", { name: "Gold passages" })).toBeInViewport();
    await page.getByLabel("Find", { exact: true }).fill("CLOVER");
    await expect(table.getByRole("row")).toHaveCount(2);
    await page.reload();
    await expect(table).toContainText("Nitrogen from the air.");
    await expect(page.getByText("1 of 120 rows")).toBeVisible();
    await expect(page.getByLabel("Find", { exact: true })).toHaveValue("CLOVER");
    await page.getByLabel("Find", { exact: true }).fill("");
    await expect(table).toHaveAttribute("aria-rowcount", "121");
    const gold = table.getByRole("button", { name: "Gold passages" });
    await gold.click();
    await expect(table.getByRole("rowheader").first()).toHaveText("What does clover bind in the soil?");
    await expect(page).toHaveURL(/sort=-gold/);
    await gold.click();
    await gold.click();
    await expect(page).not.toHaveURL(/sort=/);
    await expect(table.getByRole("rowheader").first()).toHaveText("What is number 1?");
  });

  await test.step("the download gives the same dataset when it is dropped again", async () => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as JSON" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`${NAME}.json`);
    saved = await readFile(await file.path(), "utf8");
    expect(JSON.parse(saved)).toHaveLength(120);
    await page.getByRole("main").getByRole("link", { name: "Datasets", exact: true }).click();
    const row = page.getByRole("row", { name: new RegExp(NAME) });
    const before = await row.textContent();
    await drop.setInputFiles(json(`${NAME}.json`, JSON.parse(saved)));
    await page.getByRole("button", { name: "Import 120 questions" }).click();
    await page.getByRole("main").getByRole("link", { name: "Datasets", exact: true }).click();
    await expect(row).toHaveText(before ?? "");
    await expectToFit(page, NARROW);
  });

  await test.step("another file under the name is another version; a link to the earlier one says so", async () => {
    const old = await page
      .getByRole("row", { name: new RegExp(NAME) })
      .locator("code")
      .getAttribute("title");
    await drop.setInputFiles(json(`${NAME}.json`, ROWS.slice(0, 5)));
    await page.getByRole("button", { name: "Import 5 questions" }).click();
    await expect(page.getByRole("table", { name: "Questions" }).getByRole("row")).toHaveCount(6);
    await page.goto(`/datasets/${NAME}`);
    const changes = page.getByRole("region", { name: "Changes since the previous version" });
    await expect(changes).toContainText("Removed: 115 questions");
    await expect(changes).toContainText("Unchanged: 5 questions");
    await expectAccessible(page);
    await expectToFit(page, NARROW);
    await page.goto(`/datasets/${NAME}?digest=${old}`);
    await expect(page.getByText("This is an older version of the dataset.")).toBeVisible();
    await expect(page.getByText("1 of 120", { exact: true })).toBeVisible();
    await expectStillAccessible(page);
  });

  await test.step("deleting asks for the name", async () => {
    await page.getByRole("button", { name: "Delete" }).click();
    const question = page.getByRole("dialog", { name: `Delete ${NAME}?` });
    await expect(question).toContainText("Deletes all 2 versions");
    await expect(question.getByRole("button", { name: "Delete" })).toBeDisabled();
    await question.getByLabel(`Type ${NAME} to confirm`).fill(NAME);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/datasets$/);
    await expect(page.getByRole("row", { name: new RegExp(NAME) })).toBeHidden();
  });

  await test.step("an address of a dataset that is gone says so", async () => {
    await page.goto(`/datasets/${NAME}`);
    await expect(page.getByRole("alert")).toContainText(NAME);
  });
});

const csv = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

test("an experiment of RAGElo: a wrong row refuses all files, then they become dataset, ranking, grades and sweep", async ({
  page,
}) => {
  await page.goto("/datasets");
  await page.getByRole("button", { name: "Import RAGElo files" }).click();
  // A FileInput is a button; its hidden input is the one that follows.
  const choose = async (label: string, file: ReturnType<typeof csv>) => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByLabel(label).first().click();
    await (await chooser).setFiles(file);
  };
  await choose("Queries", csv("lab.csv", "qid,query\nq1,How is soil kept alive?\nq2,What do bees need?\n"));
  await choose("Documents (optional)", csv("documents.csv", "qid,did\nq1,soil.txt\nq2,bees.md\n"));
  await choose("Judgements (optional)", csv("judged.csv", "qid,did,answer\nq1,soil.txt,2\nq2,bees.md,0\n"));
  const answers = "qid,agent,answer\nq1,rag,By compost.\nq1,fusion,By clover.\nq2,rag,Flowers.\n";
  await choose("Answers (optional)", csv("answers.csv", `${answers}q9,fusion,Water.\n`));
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("lab");
  await page.getByRole("button", { name: "Import 4 files" }).click();
  const refusal = page.getByRole("alert");
  await expect(refusal).toContainText("Nothing was imported");
  await expect(refusal).toContainText("answers.csv, agent fusion");
  await expect(refusal).toContainText("Row 4");
  await expect(page.getByRole("row", { name: /lab/ })).toBeHidden();
  await expectAccessible(page);
  await expectToFit(page, NARROW);

  await choose("Answers (optional)", csv("answers.csv", `${answers}q2,fusion,Water.\n`));
  await page.getByRole("button", { name: "Import 4 files" }).click();
  const done = page.getByRole("status").filter({ hasText: "Imported lab" });
  await expect(done).toContainText("2 questions, without reference answers", { timeout: 60_000 });
  await expect(done.getByRole("link", { name: "Ranking of 2 questions, 2 grades" })).toHaveAttribute(
    "href",
    /retrieval\?.*lab/,
  );
  await expect(page.getByRole("row", { name: /lab/ })).toBeVisible();
  await done.getByRole("link", { name: "Sweep of rag, fusion" }).click();
  await expect(page.getByRole("heading", { name: "lab, RAGElo" })).toBeVisible();

  // Answers of one system alone, to the questions that are there now.
  await page.goto("/datasets/lab");
  await page.getByRole("button", { name: "Import answers" }).click();
  const chooser = page.waitForEvent("filechooser");
  await page.getByLabel("Files with answers").first().click();
  await (await chooser).setFiles([
    csv("old.csv", "id,answer\nq1,By compost.\nq2,Flowers.\n"),
    csv("new.csv", "id,answer\nq1,By clover.\n"),
  ]);
  await page.getByLabel("Configuration of new.csv").fill("improved");
  await expectAccessible(page);
  await expectToFit(page, NARROW);
  await page.getByRole("button", { name: "Import 2 files" }).click();
  await expect(page.getByRole("alert")).toContainText("no row answers the question q2");
  const again = page.waitForEvent("filechooser");
  await page.getByLabel("Files with answers").first().click();
  await (await again).setFiles(csv("old.csv", "id,answer\nq1,By compost.\nq2,Flowers.\n"));
  await page.getByLabel("Name of the sweep (optional)").fill("Our system");
  await page.getByRole("button", { name: "Import 1 file" }).click();
  await page.getByRole("status").getByRole("link", { name: "Show sweep" }).click({ timeout: 60_000 });
  await expect(page.getByRole("heading", { name: "Our system" })).toBeVisible();
});

test("a question that is written from right to left has its question mark on the left", async ({
  page,
  request,
}) => {
  const question = "ما هو السماد الأخضر؟";
  const id = "سؤال أول.";
  // In an answer of several scripts the full stop follows the first strong letter, too.
  const reference = "السماد الأخضر هو clover.";
  await page.goto("/datasets");
  await page
    .locator("input[type=file]")
    .setInputFiles(json("arabic.json", [{ id, question, ground_truth: reference }]));
  await page.getByRole("button", { name: "Import 1 question" }).click();
  await expect(page.getByRole("heading", { name: "arabic", level: 1 })).toBeVisible();
  for (const text of [question, reference, id]) {
    const found = page.getByRole("table", { name: "Questions" }).getByText(text, { exact: true });
    await expect(found).toBeVisible();
    const [first, last] = await found.evaluate((element) => {
      const node = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text;
      return [0, node.length - 1].map((at) => {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        return range.getBoundingClientRect().left;
      });
    });
    expect(last ?? 0).toBeLessThan(first ?? 0);
  }
  await request.delete("/api/v1/datasets/arabic");
});
