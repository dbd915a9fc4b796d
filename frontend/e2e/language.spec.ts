import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, expectToFit, test } from "./fixtures";
import { studyArchive } from "./sheets";
import { finishedSweep, loadExample } from "./sweeps";

const NARROW = 360;
const CYRILLIC = /[а-я]{3}/;
/** Longer than any name: five words of Latin letters in a row. */
const ENGLISH = /(?:\b[a-z]{2,}[ ,]+){5}/;

/** Each message by its English; what stands behind a bar is no part of it. */
const CATALOGUE: Record<string, string> = JSON.parse(
  readFileSync(join(import.meta.dirname, "../src/words/bg.json"), "utf8"),
);
const BULGARIAN = new Set(Object.values(CATALOGUE));
/** What the page says in English and does not say in the second language, however short. */
const ENGLISH_TEXTS = new Set(
  Object.keys(CATALOGUE)
    .map((key) => key.split(" | ")[0] ?? key)
    .filter((text) => /[a-z]{3}/i.test(text) && !text.includes("{") && !BULGARIAN.has(text)),
);

/** Headings and buttons of the page as it is now: none of them is one of the English ones. */
async function expectHeadings(page: Page) {
  const texts = await page.locator("h1, h2, h3, th, button").allTextContents();
  expect(texts.length).toBeGreaterThan(2);
  expect(texts.map((text) => text.trim()).filter((text) => ENGLISH_TEXTS.has(text))).toEqual([]);
}

async function inBulgarian(page: Page) {
  await page.addInitScript(() => localStorage.setItem("passer.language", "bg"));
}

/** What the server said stands in the second language: nothing had to be marked as English. */
async function expectSaid(page: Page, list: string) {
  const items = page.getByRole("list", { name: list }).getByRole("listitem");
  await expect(items.first()).toBeVisible({ timeout: 60_000 });
  for (const text of await items.allTextContents()) {
    expect(text).toMatch(CYRILLIC);
    expect(text).not.toMatch(ENGLISH);
  }
  await expect(page.getByRole("main").locator("[lang=en]")).toHaveCount(0);
}

/** Every table of an analysis with its title and columns. */
async function expectTables(page: Page) {
  const choice = page.getByRole("combobox", { name: "Показана таблица" });
  await expect(choice).toBeVisible({ timeout: 60_000 });
  for (const title of await choice.locator("option").allTextContents()) {
    expect(title).toMatch(CYRILLIC);
  }
  const headings = await page
    .getByRole("region", { name: "Таблици" })
    .getByRole("columnheader")
    .allTextContents();
  expect(headings).toContain("модел");
  expect(headings.filter((text) => ENGLISH.test(text))).toEqual([]);
}

test("what the server finds in sheets is said in the second language", async ({ page }) => {
  await inBulgarian(page);
  await page.goto("/analysis");
  const drop = page.locator("input[type=file]");
  await drop.setInputFiles({ name: "study.zip", mimeType: "application/zip", buffer: studyArchive() });
  await page.getByRole("button", { name: "Импортиране на 1 файл" }).click();
  const audit = page.getByRole("table", { name: "Одит" });
  await expect(audit).toBeVisible({ timeout: 60_000 });
  for (const text of await audit.getByRole("rowheader").allTextContents()) expect(text).toMatch(CYRILLIC);
  await expectSaid(page, "Как са изчислени тези стойности");
  await expectTables(page);
  await expectHeadings(page);
  await expectToFit(page, NARROW);
});

test("what a sweep shows is said in the second language, and what is refused", async ({ page }) => {
  await inBulgarian(page);
  await loadExample(page.request);
  const id = await finishedSweep(page.request, "Казано");
  await page.goto(`/analysis/sweeps/${id}`);
  await expectSaid(page, "Как са изчислени тези стойности");
  await expectTables(page);
  await expectHeadings(page);
  await expectAccessible(page);
  // Runs are stored with English names; they are shown, and found, in the second language.
  await page.goto("/runs");
  const named = page.getByRole("link", { name: "Сходство ≥ 0,40" });
  await expect(named.first()).toBeVisible();
  await expect(page.getByText(/Similarity ≥/)).toHaveCount(0);
  await page.getByLabel("Търсене").fill("сходство ≥ 0,4");
  await expect(page).toHaveURL(/find=/);
  await expect(named.first()).toBeVisible();
  await page.goto("/runs/absent");
  await expect(page.getByText("Няма изпълнение „absent“")).toBeVisible();
  await expectAccessible(page);
  await page.goto("/analysis/imports/absent");
  await expect(page.getByText("Няма импортиране „absent“")).toBeVisible();
  for (const path of ["/", "/new", "/runs", "/collections", "/datasets", "/compare", "/audit", "/settings"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.waitForLoadState("networkidle");
    await expectHeadings(page);
  }
});

test("what is chosen and typed comes again when the language changes, once", async ({ page }) => {
  const rows = "id,question,reference\na,What binds nitrogen?,Clover.\nb,What limits copper?,The law.\n";
  const buffer = Buffer.from(rows);
  await page.goto("/datasets");
  await page.locator("input[type=file]").setInputFiles({ name: "soil.csv", mimeType: "text/csv", buffer });
  await page.getByLabel("Name", { exact: true }).fill("soil-1");
  await page.getByText("Български", { exact: true }).click();
  await expect(page.getByLabel("Име", { exact: true })).toHaveValue("soil-1");
  await expect(page.getByRole("button", { name: /2 въпроса/ })).toBeEnabled();
  await page.reload();
  await expect(page.getByLabel("Име", { exact: true })).toHaveCount(0);

  await page.goto("/audit");
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "notes.zip", mimeType: "application/zip", buffer });
  await expect(page.getByRole("alert")).toContainText("notes.zip");
  await page.getByText("English", { exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("Not a bundle");

  await page.goto("/analysis");
  await page.locator("input[type=file]").setInputFiles({ name: "mistral-0.5.xlsx", mimeType: "a/b", buffer });
  await page.getByText("Български", { exact: true }).click();
  await expect(page.getByText("mistral-0.5.xlsx")).toBeVisible();
});
