import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, expectAccessible, expectStillAccessible, expectToFit, test } from "./fixtures";
import { loadOwn } from "./sweeps";

test.use({ emptyFor: "data" });

const NARROW = 360;

test("pages are grouped by what people do, and make room below 1024 px", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/");
  const main = page.getByRole("navigation", { name: "Main" });
  await expect(main.getByRole("region", { name: "Evaluate" }).getByRole("link")).toHaveText([
    "Sweeps",
    "New sweep",
    "Retrieval",
    "Try a question",
  ]);
  await expect(main.getByRole("region", { name: "Explore" }).getByRole("link")).toHaveCount(4);
  await expect(main.getByRole("region", { name: "Data" }).getByRole("link")).toHaveCount(2);
  await expectStillAccessible(page);
  await page.setViewportSize({ width: 1000, height: 800 });
  await expect(main).toBeHidden();
  const open = page.getByRole("button", { name: "Open navigation" });
  await open.focus();
  await page.keyboard.press("Tab");
  await expect(page.locator("main :focus")).toHaveCount(1);
  await open.click();
  await expect(main).toBeInViewport();
  await main.getByRole("link", { name: "Datasets" }).click();
  await expect(page).toHaveURL(/\/datasets/);
  await expect(main).toBeHidden();
  await expectToFit(page, NARROW);
});

test("any page is one key and a few letters away", async ({ page, request }) => {
  await loadOwn(request, "meadow");
  await page.goto("/");
  // Keys are heard when the page is drawn.
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Go to" });
  await expect(dialog.getByRole("option", { name: "Audit" })).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page, NARROW);
  await dialog.getByRole("textbox").fill("mead");
  // The collection and its questions.
  await expect(dialog.getByRole("option")).toHaveCount(2);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/collections\/meadow/);
  await expect(dialog).toBeHidden();
});

test("running work is listed where its result will appear, survives a reload, and can be cancelled", async ({
  page,
}) => {
  await page.goto("/collections");
  await page.getByText("Pasted text", { exact: true }).click();
  await page.getByLabel("Document name").fill("long");
  await page.getByLabel("Text", { exact: true }).fill("Bees fly far and hens go outside. ".repeat(40_000));
  await page.getByLabel("Collection name").fill("long");
  await page.getByRole("button", { name: "Import documents" }).click();
  const work = page.getByRole("region", { name: "Running work" });
  await expect(work).toContainText("long", { timeout: 20_000 });
  await page.reload();
  await expect(work.getByRole("progressbar")).toBeAttached();
  await expect(work).toContainText("passages of long", { timeout: 30_000 });
  await expectAccessible(page);
  await expectToFit(page, NARROW);
  const cancel = work.getByRole("button", { name: /Cancel Import of documents/ });
  await cancel.click();
  // Not the whole list: imports that other tests saw refused on this server stay listed for ten minutes.
  await expect(cancel).toBeHidden({ timeout: 20_000 });
});

test("a file that is too large is refused before it is sent", async ({ page, server }) => {
  const large = join(server.home, "large.txt");
  writeFileSync(large, "");
  truncateSync(large, 51 * 1024 * 1024);
  await page.goto("/collections");
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  await page.locator("input[type=file]").first().setInputFiles(large);
  await expect(page.getByRole("alert")).toContainText(/At most .* can be uploaded at a time/);
  await expect(page.getByRole("button", { name: "Import documents" })).toBeDisabled();
  expect(sent).toEqual([]);
});

test("the settings say what is there, and give the command for what is not", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/");
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  const parts = page.getByRole("table", { name: "Components" });
  await expect(parts.getByRole("row", { name: /Encoder/ })).toContainText("embedded/all-MiniLM-L6-v2");
  await expect(parts.getByRole("row", { name: /Ollama/ })).toContainText("Not available, optional");
  // Nobody misses what nobody has set up.
  await expect(parts.getByRole("row", { name: /Identity provider/ })).toContainText(
    "Not configured, optional",
  );
  await expect(page.getByText(/^Not connected:/)).not.toContainText(/Identity provider|Blockchain/);
  await expect(page.getByRole("region", { name: "Ollama", exact: true })).toContainText(
    "Models not available",
  );
  await expectAccessible(page);
  await expectToFit(page, NARROW);

  await page.getByRole("button", { name: "Copy ollama serve" }).click();
  await expect(parts.getByText("Copied")).toBeVisible();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe("ollama serve");

  const looked = page.waitForResponse(/\/api\/v1\/system/);
  await page.getByRole("button", { name: "Check again" }).first().click();
  expect((await looked).ok()).toBe(true);
});

test("a lost connection is said within three seconds, and the page goes on by itself", async ({
  page,
  request,
  server,
}) => {
  await loadOwn(request, "heath");
  await page.goto("/collections");
  await expect(page.getByRole("row", { name: /heath/ })).toBeVisible();
  await server.stop();
  const notice = page.getByText("Connection lost");
  await expect(notice).toBeVisible({ timeout: 3000 });
  await expectAccessible(page);
  await server.start();
  await expect(notice).toBeHidden({ timeout: 10_000 });
  // What the server kept is there again.
  await expect(page.getByRole("row", { name: /heath/ })).toBeVisible();
});

// The test above in another order, with a second start of the server, which takes six seconds of a processor.
test("a server that is gone is said, and forgotten when it is back", { tag: "@soak" }, async ({
  page,
  server,
}) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1, name: "Sweeps" })).toBeVisible();
  await server.stop();
  await page.getByRole("link", { name: "New sweep" }).first().click();
  await page.goBack();
  const notice = page.getByText("Connection lost");
  await expect(notice).toBeVisible({ timeout: 30_000 });
  // Once for the whole page, whatever in it could not be fetched.
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Page error" })).toHaveCount(0);
  await server.start();
  await expect(notice).toBeHidden({ timeout: 60_000 });
  await expect(page.getByRole("heading", { level: 1, name: "Sweeps" })).toBeVisible();
});
