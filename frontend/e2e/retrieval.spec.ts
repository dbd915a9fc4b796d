import { expect, expectAccessible, expectStillAccessible, expectToFit, test } from "./fixtures";
import { EXAMPLE, loadExample } from "./sweeps";

test("retrievers are compared without a model, by passage and by document", async ({ page, request }) => {
  await loadExample(request);
  await page.goto("/retrieval");
  await expectStillAccessible(page);
  for (const label of ["Collection", "Questions"]) {
    await page.getByRole("combobox", { name: label }).click();
    await page.getByRole("option", { name: EXAMPLE, exact: true }).click();
  }
  await page.getByRole("button", { name: "Compare retrievers" }).click();
  const figures = page.getByRole("table", { name: "Figures at K" });
  await expect(figures.getByRole("row", { name: /BM25/ }).first()).toBeVisible({ timeout: 60_000 });
  await expect(figures.getByRole("columnheader", { name: "R@10", exact: true })).toBeVisible();
  await page.getByRole("radiogroup", { name: "Figures at K" }).getByText("5", { exact: true }).click();
  await expect(figures.getByRole("columnheader", { name: "R@5", exact: true })).toBeVisible();
  await expect(page.getByText(/Macro means over \d+ questions/)).toBeVisible();
  await page.getByRole("combobox", { name: "Curve" }).click();
  await page.getByRole("option", { name: /^nDCG@K over/ }).click();
  await expect(page.getByRole("img", { name: /^nDCG@K over/ })).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page, 360);

  await page.getByText("Documents", { exact: true }).click();
  await page.getByRole("button", { name: "Compare retrievers" }).click();
  await expect(page).toHaveURL(/by=document/);
  await expect(figures.getByRole("row", { name: /RRF/ }).first()).toBeVisible({ timeout: 60_000 });

  // One category of another dataset, with query expansion by a file, beside the ranking of another system.
  await page.getByRole("combobox", { name: "Questions" }).click();
  await page.getByRole("option", { name: "biodiversity-varied", exact: true }).click();
  await page.getByRole("combobox", { name: "Category" }).click();
  await page.getByRole("option", { name: "figure", exact: true }).click();
  const choose = async (label: string, name: string, text: string) => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: label }).click();
    await (await chooser).setFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  };
  await page.getByText("Further retrievers: RAG-Fusion, reranking, query expansion").click();
  await choose("Import a term map", "seas.csv", "marine,sea,ocean\n");
  await expect(page.getByRole("combobox", { name: "Term map for query expansion" })).toHaveValue("seas");
  await page.getByRole("combobox", { name: "Retrievers" }).press("ArrowDown");
  await page.getByRole("option", { name: "Terms seas: BM25 (words)" }).click();
  await choose("Import a ranking", "wrong.run", "bp-001 Q0 wetlands.md\n");
  await expect(page.getByText(/^wrong.run, line 1: 3 fields instead of 6/)).toBeVisible();
  await choose("Import a ranking", "documents.csv", "qid,did\nbp-001,wetlands.md\n");
  await expect(page).toHaveURL(/runs=documents/);
  await page.getByRole("button", { name: "Compare retrievers" }).click();
  await expect(page).toHaveURL(/category=figure/);
  await expect(figures.getByRole("row", { name: /Terms seas \(BM25\)/ })).toBeVisible({ timeout: 60_000 });
  await expect(figures.getByRole("row", { name: /^documents/ })).toBeVisible();
  await expect(page.getByText(/Macro means over 19 questions/)).toBeVisible();
  await expect(page.getByText(/^Imported ranking documents: SHA-256 [0-9a-f]{12}$/)).toBeVisible();
  // One question: each part of the merged ranking beside it, with what its places add.
  const ranks = page.getByRole("table", { name: "First relevant rank by question" });
  await ranks.getByRole("link").first().click();
  await expect(page).toHaveURL(/question=bp-/);
  await expect(page.getByRole("heading", { name: /Rankings of question bp-/ })).toBeInViewport();
  const merged = page.getByRole("table", { name: "Ranking by RRF (Dense, BM25)" });
  await expect(merged.getByRole("columnheader", { name: "BM25" })).toBeVisible();
  await expect(merged.getByText(/^\+0\.016/).first()).toBeVisible();
  const distances = page.getByRole("table", { name: "Distances at K" });
  await expect(distances.getByRole("row", { name: /European law/ }).first()).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page, 360);
  const imported = page.getByRole("table", { name: "Imported files" });
  await imported.getByRole("button", { name: "Delete seas" }).click();
  await expect(imported.getByRole("row", { name: /seas/ })).toHaveCount(0);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as TREC files" }).click();
  expect((await saved).suggestedFilename()).toBe("trec.zip");
});

test("a judge grades the pool, a person grades passages, and both measure the retrievers", {
  tag: "@soak",
}, async ({ page, request }) => {
  await loadExample(request);
  await page.goto(
    `/retrieval?collection=${EXAMPLE}&dataset=${EXAMPLE}&retrievers=dense~bm25&question=bp-001`,
  );
  const pool = page.getByRole("region", { name: "Passage grades" });
  await pool.getByRole("button", { name: "Grade by a judge" }).click({ timeout: 60_000 });
  await pool.getByRole("combobox", { name: "Judge", exact: true }).click();
  await page.getByRole("option", { name: /^mistral/ }).click();
  await pool.getByLabel("First passages of each ranking").fill("1");
  await expect(pool.getByText("Requests")).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page, 360);
  await pool.getByRole("button", { name: "Start assessment" }).click();
  await expect(pool.getByText(/mistral:latest: first 1 of Dense, BM25; [1-9]\d* passages/)).toBeVisible();
  await expect(pool.getByText("Finished")).toBeVisible({ timeout: 60_000 });
  await pool.getByRole("button", { name: "Save grades" }).click();
  await expect(
    pool.getByRole("link", { name: `Compare retrievers by ${EXAMPLE} by mistral-latest` }),
  ).toBeVisible();

  await page.getByRole("button", { name: "Rate these passages" }).click();
  const desk = page.getByRole("region", { name: "Rate these passages" });
  await desk.getByLabel("Name of the rater").fill("Ana");
  const first = desk.getByRole("radiogroup").first();
  await first.getByText("3 whole answer").click();
  await expect(first.getByRole("radio", { name: "3 whole answer" })).toBeChecked();
  await expectAccessible(page);
  await expectToFit(page, 360);
  await page.getByRole("combobox", { name: "Relevance" }).click();
  await page.getByRole("option", { name: `${EXAMPLE} by people` }).click();
  await expect(page).toHaveURL(/qrels=/);
  await expect(page.getByText("Grade 3", { exact: true }).first()).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(/Macro means over 1 question\b/)).toBeVisible();
});
