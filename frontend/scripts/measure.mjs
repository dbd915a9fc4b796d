// How soon the pages of a large database answer, and what the browser takes; the last line is JSON.
// node scripts/measure.mjs ADDRESS
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { chromium } from "@playwright/test";

const [address] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.PASSER_CHROMIUM ?? "/usr/bin/chromium-headless-shell",
  args: ["--no-sandbox"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
const seconds = {};

/** The median of three, each from the act to the sight of what was asked for. */
async function time(name, act, seen, before = async () => {}) {
  const taken = [];
  for (let round = 0; round < 3; round++) {
    await before();
    const began = performance.now();
    await act();
    await seen().waitFor();
    taken.push((performance.now() - began) / 1000);
  }
  taken.sort((one, two) => one - two);
  seconds[name] = taken[1];
}

const row = (text) => page.getByRole("row", { name: text }).first();
// The program itself is loaded once; from then on a page is what its data takes.
await page.goto(`${address}/settings`);
await page.getByRole("heading", { level: 1 }).waitFor();
const away = () => page.getByRole("link", { name: "Settings" }).click();

await time(
  "run_table",
  () => page.getByRole("link", { name: "Runs", exact: true }).click(),
  () => row(/Top-k 10/),
  away,
);
const find = page.getByLabel("Find");
await time(
  "run_filter",
  () => find.fill(">= 0.04"),
  () => page.getByText("1 row", { exact: true }),
  async () => {
    await find.fill("");
    await row(/Top-k 10/).waitFor();
  },
);
const toRuns = async () => {
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await row(/Top-k 10/).waitFor();
};
await time(
  "compare",
  () => page.getByRole("toolbar").getByRole("link", { name: "Compare" }).click(),
  () => page.getByRole("table", { name: "Metrics" }).getByRole("row", { name: /^CPS/ }),
  async () => {
    await toRuns();
    for (const name of [/Select Top-k/, /Select Similarity ≥ 0\.04/])
      await page.getByRole("checkbox", { name }).first().check();
  },
);
const changed = () =>
  page.getByRole("table", { name: "Questions with the largest change" }).getByRole("rowheader").first();
await changed().waitFor();
await time(
  "changed_questions",
  () => page.getByText("Largest increase", { exact: true }).click(),
  changed,
  async () => {
    await page.getByText("Largest change", { exact: true }).click();
    await changed().waitFor();
  },
);
await time(
  "drill_down",
  () => changed().getByRole("link").click(),
  () => page.locator("[data-passage]").first(),
  async () => {
    if (!page.url().includes("/compare")) await page.goBack();
    await changed().waitFor();
  },
);
await time(
  "run_page",
  () => page.getByRole("link", { name: "Similarity ≥ 0.06" }).click(),
  () => page.getByRole("table", { name: "Questions" }).getByRole("row").nth(1),
  toRuns,
);

// One after the other, so that each is asked for the first time.
for (const [name, run] of [
  ["run_metrics", "Similarity ≥ 0.08"],
  ["run_metrics_long", "Long 1"],
]) {
  await toRuns();
  const began = performance.now();
  await page.getByRole("link", { name: run, exact: true }).click();
  await page
    .getByRole("table", { name: "Metrics" })
    .getByRole("row", { name: /^F1 Score/ })
    .waitFor();
  seconds[name] = (performance.now() - began) / 1000;
}
await time(
  "compare_long",
  () => page.getByRole("toolbar").getByRole("link", { name: "Compare" }).click(),
  () => page.getByRole("table", { name: "Metrics" }).getByRole("row", { name: /^CPS/ }),
  async () => {
    await toRuns();
    for (const name of [/Select Long 1/, /Select Long 2/])
      await page.getByRole("checkbox", { name }).first().check();
  },
);
{
  await page.goto(`${address}/sweeps/00000000wide`);
  const began = performance.now();
  await page.getByRole("table", { name: "Results" }).waitFor({ timeout: 120_000 });
  seconds.sweep_table = (performance.now() - began) / 1000;
}

/** Megabytes of the whole browser: what its processes hold, shared pages counted once. */
const tab = await page.context().newCDPSession(page);
// What is no longer used is not held; the browser collects it when it likes.
await tab.send("HeapProfiler.collectGarbage");
const { usedSize } = await tab.send("Runtime.getHeapUsage");
const session = await browser.newBrowserCDPSession();
const { processInfo } = await session.send("SystemInfo.getProcessInfo");
const held = processInfo.map(({ id, type }) => {
  const text = readFileSync(`/proc/${id}/smaps_rollup`, "utf8");
  return { type, mb: Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1000 };
});
const sum = (parts) => parts.reduce((total, { mb }) => total + mb, 0);
const memory_mb = {
  browser: sum(held),
  page: sum(held.filter(({ type }) => type === "renderer")),
  heap: usedSize / 1e6,
};
await browser.close();

const sizes = execFileSync("node", ["scripts/check-size.mjs"], { encoding: "utf8" }).split("\n");
const first_load_kb = Number.parseFloat(sizes.find((line) => line.includes("first load")));
console.log(JSON.stringify({ seconds, memory_mb, first_load_kb }));
