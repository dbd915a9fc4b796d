// Pictures of the main pages for the documentation, from the example data: `make screenshots`.
// `node scripts/screenshots.mjs run audit` takes these two only.
// A server of its own is started on an empty home; nothing outside this machine is asked.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const IMAGES = join(ROOT, "docs/images");
const PYTHON = process.env.PASSER_PYTHON ?? join(ROOT, ".venv/bin/python");
const EXAMPLE = "organic-farming";
/** The first question of the example: the model server refuses its first prompt, so that one fails. */
const REFUSED = "Which four principles did IFOAM formulate";
const WIDE = { width: 1280, height: 860 };
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

async function until(what, seconds, look) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await pause(300)) {
    const found = await look().catch(() => null);
    if (found) return found;
  }
  throw new Error(`${what} did not come within ${seconds} s.`);
}

const home = mkdtempSync(join(tmpdir(), "passer-pictures-"));
const address = `http://127.0.0.1:${await freePort()}`;
const models = `http://127.0.0.1:${await freePort()}`;
// The scripted model server of the tests: what it answers is made up, and only the picture of a failure shows it.
const modelServer = spawn(
  PYTHON,
  ["-m", "tests.ollama_server", "--port", new URL(models).port, "--refuse", REFUSED],
  { cwd: ROOT, stdio: "ignore" },
);
const server = spawn(PYTHON, ["-m", "passer", "serve", "--port", new URL(address).port], {
  cwd: home,
  env: { ...process.env, PASSER_HOME: home, PASSER_OLLAMA_URL: models, PYTHONPATH: ROOT },
  stdio: "ignore",
});
const ask = async (path, options) => (await fetch(`${address}/api/v1${path}`, options)).json();
const post = (path, body) =>
  ask(path, {
    method: "POST",
    body: JSON.stringify(body ?? {}),
    headers: { "content-type": "application/json" },
  });

/** The example with a finished sweep over it; the sweep as it ended. */
async function prepare() {
  await until("The server", 60, async () => (await fetch(`${address}/health`)).ok);
  const job = await post(`/examples/${EXAMPLE}`);
  await until("The example", 120, async () => (await ask(`/jobs/${job.job_id}`)).state === "finished");
  const thresholds = [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6];
  return finished({
    name: "Thresholds of organic farming",
    config: { dataset: EXAMPLE, collection: EXAMPLE, questions: 40 },
    axes: { min_similarity: thresholds },
    baseline: { mode: "normal", k: 20 },
  });
}

async function finished(body) {
  const { id } = await post("/sweeps", body);
  return until("The sweep", 600, async () => {
    const sweep = await ask(`/sweeps/${id}`);
    return sweep.state === "finished" ? sweep : null;
  });
}

/** A small sweep in which the first question of each configuration that asks it first could not be answered. */
function failing() {
  return finished({
    name: "One model, three numbers of passages",
    config: {
      dataset: EXAMPLE,
      collection: EXAMPLE,
      questions: 12,
      model: { provider: "ollama", name: "mistral:latest" },
    },
    axes: { k: [5, 10] },
    baseline: { mode: "normal", k: 2 },
  });
}

/** The sweep's own runs as result sheets of the published layout under its ten wrong labels, imported again. */
async function importSheets(sweep) {
  const archive = await fetch(`${address}/api/v1/sweeps/${sweep.id}/sheets?shifted_labels=true`);
  const form = new FormData();
  form.append("name", "Sheets of organic farming");
  form.append("files", await archive.blob(), "sheets.zip");
  const job = await ask("/imports", { method: "POST", body: form });
  const ended = await until("The import", 120, async () => {
    const found = await ask(`/jobs/${job.job_id}`);
    return ["finished", "failed"].includes(found.state) ? found : null;
  });
  if (ended.state === "failed") throw new Error(JSON.stringify(ended));
  return ended.result.id;
}

/** The figure of a comparison, and what stands below it. */
async function showEffects(page) {
  const region = page.getByRole("region", { name: "Effect size by metric" });
  await region.locator("svg g[aria-label=bar]").first().waitFor();
  await region.evaluate((part) => part.scrollIntoView());
}

/** The first figure of a sweep, above which nothing comes later. */
async function showCost(page) {
  await page.getByRole("region", { name: "Cost and quality" }).locator("svg").first().waitFor();
}

/** The figures of a comparison of retrievers, with the curve over K below them. */
async function showRetrievers(page) {
  const region = page.getByRole("region", { name: "Figures at K" });
  await region.getByRole("row", { name: /^RRF/ }).waitFor();
  await page.locator("svg[role=img]").first().waitFor();
  await region.evaluate((part) => part.scrollIntoView());
}

/** The plan, which is computed a moment after the form is filled. */
async function showPlan(page) {
  await page
    .getByRole("region", { name: "Plan" })
    .getByText(/[0-9] evaluations/)
    .waitFor();
}

/** The bundle of a run as a file that is dropped on the audit. */
async function dropBundle(page, run) {
  const bundle = await fetch(`${address}/api/v1/runs/${run.id}/bundle`);
  const buffer = Buffer.from(await bundle.arrayBuffer());
  const name = `${run.id}.zip`;
  await page.locator("input[type=file]").setInputFiles({ name, mimeType: "application/zip", buffer });
  await page.getByText("Verified", { exact: true }).waitFor();
}

let browser;
try {
  await until("The model server", 20, async () => (await fetch(`${models}/api/tags`)).ok);
  const sweep = await prepare();
  const sheets = await importSheets(sweep);
  const failed = await failing();
  const [baseline, first] = sweep.runs;
  const last = sweep.runs.at(-1);
  mkdirSync(IMAGES, { recursive: true });
  browser = await chromium.launch({
    executablePath: process.env.PASSER_CHROMIUM ?? "/usr/bin/chromium-headless-shell",
    args: ["--no-sandbox"],
  });
  const pictures = [
    ["sweeps", "/"],
    ["new-sweep", `/new?collection=${EXAMPLE}&dataset=${EXAMPLE}`, { act: showPlan }],
    ["sweep", `/sweeps/${sweep.id}`, { height: 1300, act: showCost }],
    ["sweep-dark", `/sweeps/${sweep.id}`, { colorScheme: "dark", height: 1300, act: showCost }],
    ["run", `/runs/${first.id}`, { height: 1500 }],
    ["question", `/runs/${first.id}/questions/1?cut=0.55`, { height: 1100 }],
    ["failures", `/sweeps/${failed.id}`],
    ["runs", "/runs"],
    ["compare", `/compare?runs=${baseline.id}~${last.id}`, { height: 1300 }],
    ["compare-figure", `/compare?runs=${baseline.id}~${last.id}`, { height: 900, act: showEffects }],
    ["sheets", `/analysis/imports/${sheets}`, { height: 1300 }],
    ["audit", "/audit", { height: 1100, act: (page) => dropBundle(page, first) }],
    ["analysis", `/analysis/sweeps/${sweep.id}`, { height: 1500 }],
    ["collection", `/collections/${EXAMPLE}?text=How+far+do+bees+fly%3F`],
    ["dataset", `/datasets/${EXAMPLE}`],
    [
      "retrieval",
      `/retrieval?collection=${EXAMPLE}&dataset=${EXAMPLE}&retrievers=dense~bm25~hybrid`,
      { height: 1100, act: showRetrievers },
    ],
    ["chat", "/chat"],
    ["settings", "/settings"],
    ["narrow", `/sweeps/${sweep.id}`, { width: 390, height: 844 }],
  ];
  const names = process.argv.slice(2);
  for (const [name, path, { colorScheme = "light", act, ...size } = {}] of pictures.filter(
    ([name]) => names.length === 0 || names.includes(name),
  )) {
    const context = await browser.newContext({
      viewport: { ...WIDE, ...size },
      colorScheme,
      locale: "en-GB",
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    await page.goto(`${address}${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    if (act) await act(page);
    await page.waitForLoadState("networkidle");
    // What is asked for after an answer came may begin when the network was idle already.
    const loading = page.getByRole("status", { name: "Loading" }).or(page.locator(".mantine-Skeleton-root"));
    // Between two parts of a page, as between a figure and the code that draws it, nothing is loading for a moment.
    const settled = async () => (await loading.count()) === 0;
    await until(`The rest of ${path}`, 60, settled);
    await pause(1500);
    await until(`The rest of ${path}`, 60, settled);
    await page.screenshot({ path: join(IMAGES, `${name}.png`) });
    console.log(`docs/images/${name}.png`);
    await context.close();
  }
} finally {
  await browser?.close();
  modelServer.kill("SIGKILL");
  server.kill("SIGKILL");
  await new Promise((resolve) => server.once("exit", resolve));
  rmSync(home, { recursive: true, force: true });
}
