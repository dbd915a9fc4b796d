import { expect } from "./fixtures";
import { test } from "./judged";

test("on paper all questions and the figures of folded parts are there", async ({ page }) => {
  await page.goto("/sweeps/better?view=questions");
  const grid = page.getByRole("grid", { name: "Questions and configurations" });
  const rows = grid.getByRole("rowheader");
  await expect(rows.first()).toBeVisible();
  expect(await rows.count()).toBeLessThan(60);
  const drawings = page.getByRole("region", { name: /question by question$|^Differences of/ });
  await expect(drawings.locator("[data-drawing] svg")).toHaveCount(0);
  // The figure that is not folded comes with what draws all; the first reader of a sweep waits for it.
  await expect(page.locator("[data-drawing] svg").first()).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await expect(rows).toHaveCount(60);
  // The page is as wide as a landscape one of paper, and so is the screen that shows the navigation.
  await expect(page.getByRole("navigation", { name: "Main" })).toHaveCount(0);
  expect(await page.locator("main").evaluate((main) => getComputedStyle(main).paddingInlineStart)).toBe(
    "0px",
  );
  expect(await grid.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
  expect(await drawings.locator("[data-drawing] svg").count()).toBeGreaterThan(1);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await page.emulateMedia({ media: "screen" });
  await expect(drawings.locator("[data-drawing] svg").first()).toBeHidden();
});

test("no link of a long table has the focus below its header", async ({ page }) => {
  await page.goto("/runs/better-001");
  const table = page.getByRole("table", { name: "Questions" });
  await table.getByRole("rowheader").getByRole("link").last().focus();
  const isSeen = () =>
    page.evaluate(() => {
      const link = document.activeElement;
      const { left, width, top, height } = (link ?? document.body).getBoundingClientRect();
      const seen = document.elementFromPoint(left + width / 2, top + height / 2);
      return link?.contains(seen) || seen?.contains(link);
    });
  for (let place = 0; place < 40; place++) {
    await page.keyboard.press("Shift+Tab");
    expect(await isSeen(), `link ${place} from the end`).toBe(true);
  }
});

test("in high contrast one sees what is chosen and which field has the focus", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/sweeps/better?view=questions");
  const look = (name: string) =>
    page
      .getByText(name, { exact: true })
      .first()
      .evaluate((text) => getComputedStyle(text).color);
  await expect(page.getByRole("radio", { name: "Questions", exact: true })).toBeChecked();
  expect(await look("Questions")).not.toBe(await look("Judged"));
  const find = page.getByRole("searchbox", { name: "Find" });
  await find.focus();
  await expect(find).toHaveCSS("outline-style", "solid");
  await page.emulateMedia({ forcedColors: "none" });
});

test("nothing moves when the figures arrive late, and on a phone their names are whole", async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/figures", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/sweeps/better");
  const below = page.getByRole("region", { name: "Question by question", exact: true });
  await expect(below).toBeVisible();
  const top = async () => (await below.boundingBox())?.y ?? 0;
  const before = await top();
  release();
  const cost = page.getByRole("region", { name: "Cost and quality" });
  await expect(cost.locator("[data-drawing] svg").first()).toBeAttached();
  await expect(page.getByRole("region", { name: /^Similarity of gold/ })).toBeAttached();
  // The notes under the figures are of several lengths; without reserved places they would move it by 1,500 px.
  expect(Math.abs((await top()) - before)).toBeLessThan(250);
  // The frame does not cut the descenders of the name of the axis.
  const beyond = await cost.locator("[data-drawing]").evaluate((drawing) => {
    const ends = [...drawing.querySelectorAll("text")].map((text) => text.getBoundingClientRect().bottom);
    return Math.max(...ends) - (drawing.parentElement?.getBoundingClientRect().bottom ?? 0);
  });
  expect(beyond).toBeLessThan(0);

  await page.setViewportSize({ width: 360, height: 800 });
  const ticks = cost.locator('svg [aria-label="x-axis tick label"] text');
  await expect
    .poll(async () => (await ticks.allTextContents()).filter((text) => text !== "").length)
    .toBeGreaterThan(1);
  const ranked = page.getByRole("region", { name: "CPS gain over the baseline, the largest first" });
  const name = ranked.locator('svg [aria-label="y-axis tick label"] text').first();
  const startOf = async (what: typeof name) => (await what.boundingBox())?.x ?? 0;
  await expect.poll(async () => (await startOf(name)) - (await startOf(ranked))).toBeGreaterThan(0);
});

test("the list of sweeps fits a laptop, and its names take few lines", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto("/");
  const table = page.getByRole("table", { name: "Sweeps" });
  await expect(table.getByText("Better than the baseline").first()).toBeVisible();
  const hidden = () =>
    table.evaluate((element) => {
      const frame = element.parentElement ?? element;
      return frame.scrollWidth - frame.clientWidth;
    });
  await expect.poll(hidden).toBeLessThanOrEqual(0);
});

test("headings of the configurations break before names do", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto("/sweeps/better");
  const baseline = page.getByRole("row", { name: /^Top-k 10 baseline/ });
  await expect(baseline).toBeVisible();
  expect((await baseline.boundingBox())?.height).toBeLessThan(45);
  await page.evaluate(() => localStorage.setItem("passer.language", "bg"));
  await page.reload();
  const name = page.getByRole("rowheader").getByRole("link", { name: "Сходство ≥ 0,40" });
  await expect(name).toBeVisible();
  expect((await name.boundingBox())?.height).toBeLessThan(30);
});
