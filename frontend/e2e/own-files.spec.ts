import { readFile } from "node:fs/promises";
import { expect, expectAccessible, expectToFit, fileField, test } from "./fixtures";
import { Server } from "./server";

const NARROW = 360;
const DOCUMENTS = {
  "soil.md": "Compost returns carbon to the soil.\n\nClover binds nitrogen from the air.",
  "bees.txt":
    "Bees gather nectar within three kilometres of the hive.\n\nA queen lays two thousand eggs a day.",
};
const QUESTIONS = [
  "question,reference",
  "What does compost return to the soil?,Carbon.",
  "Which plant binds nitrogen from the air?,Clover.",
  "How far do bees gather nectar?,Within three kilometres of the hive.",
  "How many eggs does a queen lay a day?,Two thousand.",
];
const file = (name: string, text: string) => ({ name, mimeType: "", buffer: Buffer.from(text) });

// A second way through what the quick tests see part by part: documents and questions in the form of a sweep
// (material.spec.ts), the sweep, its bundles and their verification (main-job.spec.ts). It takes a server of its own.
test(
  "with files of one's own: documents, questions, sweep, recommendation, report, bundle, audit",
  {
    tag: "@soak",
  },
  async ({ page }, testInfo) => {
    const server = new Server();
    try {
      await server.start();
      const drop = page.locator("input[type=file]");

      await test.step("a file that cannot be read is told, and what was taken is in the list", async () => {
        await page.goto(server.address);
        await page.getByRole("link", { name: "Collections" }).click();
        await drop.setInputFiles([
          ...Object.entries(DOCUMENTS).map(([name, text]) => file(name, text)),
          file("empty.pdf", ""),
        ]);
        await page.getByLabel("Collection name").fill("farm");
        await page.getByRole("button", { name: "Import documents" }).click();
        await expect(page.getByRole("alert")).toContainText("empty.pdf");
        await page.getByRole("link", { name: "farm" }).click();
        await expect(page.getByRole("table", { name: "Documents" }).getByRole("row")).toHaveCount(3);
      });

      await test.step("the form chooses the only collection, takes the questions, and closes behind them", async () => {
        await page.getByRole("link", { name: "Sweeps", exact: true }).click();
        await page.getByRole("link", { name: "Create sweep" }).click();
        await expect(page.getByRole("combobox", { name: "Collection" })).toHaveValue(
          /^farm \(\d+ passages?\)$/,
        );
        await page.getByRole("button", { name: "Add questions" }).click();
        const questions = fileField(page, "Drop a file with questions");
        await questions.setInputFiles(file("own.csv", QUESTIONS.join("\n")));
        await page.getByRole("button", { name: "Import 4 questions" }).click();
        await expect(questions).toHaveCount(0);
        await page.getByLabel("From", { exact: true }).fill("0.3");
        await page.getByLabel("To", { exact: true }).fill("0.4");
        await expect(page.getByText("4 configurations × 4 questions")).toBeVisible();
        await page.getByRole("button", { name: "Start sweep" }).click();
      });

      await test.step("from the verdict a link leads to the report", async () => {
        await expect(page.getByRole("heading", { name: "Verdict", exact: true })).toBeVisible({
          timeout: 60_000,
        });
        // Four questions decide nothing, and below five no interval is drawn.
        await expect(page.getByText("No verdict yet").first()).toBeVisible();
        // Figures that arrive later would push the heading down again.
        await expect(page.getByRole("heading", { name: "CPS by similarity threshold" })).toBeVisible();
        await page.getByRole("link", { name: "Export and share" }).click();
        await expect(page.getByRole("heading", { name: "Export and share" })).toBeInViewport();
        const report = page.waitForEvent("download");
        await page.getByRole("link", { name: "Save report" }).click();
        expect(await readFile(await (await report).path(), "utf8")).toContain("own: thresholds 0.30–0.40");
        await expectAccessible(page);
        await expectToFit(page, NARROW);
      });

      await test.step("the bundle of a run, saved on the sweep's page, is verified", async () => {
        const links = page.getByRole("link", { name: /^Save bundle of/ });
        await expect(links).toHaveCount(4);
        const saving = page.waitForEvent("download");
        await links.filter({ hasText: "Similarity ≥ 0.35" }).click();
        const bundle = testInfo.outputPath("own.zip");
        await (await saving).saveAs(bundle);
        await page.getByRole("link", { name: "Verify bundle" }).click();
        await drop.setInputFiles(bundle);
        await expect(page.getByText("own.zip: all 4 question records match their digests.")).toBeVisible();
      });

      await test.step("without texts it has no question, reference or answer, and is verified", async () => {
        await page.goBack();
        await page
          .getByRole("checkbox", { name: "Bundles with questions, references and answers" })
          .uncheck();
        const saving = page.waitForEvent("download");
        await page
          .getByRole("link", { name: /^Save bundle of/ })
          .filter({ hasText: "Similarity ≥ 0.35" })
          .click();
        const bundle = testInfo.outputPath("bare.zip");
        await (await saving).saveAs(bundle);
        expect((await readFile(bundle, "utf8")).includes('"question":""')).toBe(true);
        await page.getByRole("link", { name: "Verify bundle" }).click();
        await drop.setInputFiles(bundle);
        const said =
          "bare.zip: digests, counts and means follow from 4 question records. Their texts are withheld.";
        await expect(page.getByText(said)).toBeVisible();
      });
    } finally {
      await server.stop();
      server.remove();
    }
  },
);
