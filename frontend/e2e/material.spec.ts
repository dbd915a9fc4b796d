import { expect, expectAccessible, expectStillAccessible, fileField, test } from "./fixtures";

const file = (name: string, text: string, mimeType: string) => ({
  name,
  mimeType,
  buffer: Buffer.from(text),
});

const SOIL = `Compost returns carbon to the soil and feeds its organisms.

Green manure is sown to be worked into the soil; clover binds nitrogen from the air.

Crop rotation breaks the cycles of pests and diseases without pesticides.`;

const QUESTIONS = [
  { question: "What does compost return to the soil?", reference: "Carbon." },
  { question: "What does clover bind?", reference: "Nitrogen from the air." },
  { question: "What breaks the cycles of pests?", reference: "Crop rotation." },
];

test("documents and questions are brought on the spot", async ({ page }) => {
  await page.goto("/new");

  await test.step("documents become a collection, and the form takes it", async () => {
    await page.getByRole("button", { name: "Add documents" }).click();
    await page.getByLabel("Collection name").fill("soil");
    await fileField(page, "Drop documents").setInputFiles(file("soil.md", SOIL, "text/markdown"));
    await expectStillAccessible(page);
    await page.getByRole("button", { name: "Import documents" }).click();
    await expect(page.getByRole("combobox", { name: "Collection" })).toHaveValue(/soil \(1 passage\)/);
    await page.getByRole("button", { name: "Add documents" }).click();
  });

  await test.step("a file with a bad row names the row, and is taken only without it", async () => {
    await page.getByRole("button", { name: "Add questions" }).click();
    const bad = [...QUESTIONS, { question: "", reference: "Nothing." }];
    await fileField(page, "Drop a file with questions").setInputFiles(
      file("bad.json", JSON.stringify(bad), "application/json"),
    );
    await expect(page.getByRole("alert")).toContainText("Row 4");
    await expect(page.getByRole("button", { name: /^Import \d/ })).toBeHidden();
    await expect(page.getByRole("button", { name: "Skip 1 bad row and import 3" })).toBeEnabled();
    await expectAccessible(page);
  });

  await test.step("a good file is shown before it is taken", async () => {
    const lines = QUESTIONS.map((line) => JSON.stringify(line)).join("\n");
    await fileField(page, "Drop a file with questions").setInputFiles(
      file("soil.jsonl", lines, "application/jsonl"),
    );
    await expect(page.getByRole("rowheader", { name: "What does clover bind?" })).toBeVisible();
    await page.getByRole("button", { name: "Import 3 questions" }).click();
    await expect(page.getByRole("combobox", { name: "Questions" })).toHaveValue("soil (3 questions)");
  });

  await test.step("the plan counts them", async () => {
    await expect(page.getByText(/configurations × 3 questions/)).toBeVisible();
  });
});
