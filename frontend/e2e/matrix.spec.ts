import { expect, expectAccessible, expectStillAccessible, expectToFit, test } from "./fixtures";
import { finishedSweep, loadExample } from "./sweeps";

const QUESTIONS = 8;

test("every question of a sweep is seen under every configuration, and followed by the keyboard", async ({
  page,
  request,
}) => {
  await loadExample(request);
  const id = await finishedSweep(request, "Matrix");
  await page.goto(`/sweeps/${id}`);
  await page.getByText("Questions", { exact: true }).click();
  await expect(page).toHaveURL(/view=questions/);
  const grid = page.getByRole("grid", { name: "Questions and configurations" });
  await expect(grid.getByRole("rowheader")).toHaveCount(QUESTIONS);
  // The baseline stands first, and every row has a cell for each of the three configurations.
  await expect(grid.getByRole("columnheader").nth(3)).toContainText("baseline");
  await expect(grid.getByRole("gridcell", { name: /passage/ })).toHaveCount(QUESTIONS * 3);
  await expectAccessible(page);
  await expectToFit(page, 360);

  await test.step("back leads to the configurations of this sweep, forward to its questions", async () => {
    await page.goBack();
    await expect(page).toHaveURL(new RegExp(`/sweeps/${id}(?!.*view=)`));
    await expect(grid).toBeHidden();
    await page.goForward();
    await expect(grid.getByRole("rowheader")).toHaveCount(QUESTIONS);
  });

  await test.step("a heading sorts by losses and gains, a chip filters; the address holds both", async () => {
    await grid.getByRole("columnheader").nth(5).getByRole("button").click();
    await expect(page).toHaveURL(/order=fall/);
    await expect(grid.getByRole("columnheader").nth(5)).toHaveAttribute("aria-sort", "ascending");
    await page.getByRole("button", { name: "Abstained", exact: true }).click();
    await expect(page).toHaveURL(/only=abstained/);
    // Filters of single cells look at the chosen configuration.
    const rows = grid.getByRole("rowheader");
    const counted = page.getByRole("status").filter({ hasText: /^\d+ questions?$/ });
    await expect(counted).not.toHaveText(`${QUESTIONS} questions`);
    const shown = Number.parseInt((await counted.textContent()) ?? "", 10);
    await expect(rows).toHaveCount(shown);
    await expect(grid.getByRole("gridcell", { name: /0\.60.*abstained/ })).toHaveCount(shown);
    await page.reload();
    await expect(page.getByRole("button", { name: "Abstained", exact: true })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    await page.getByRole("button", { name: "Abstained", exact: true }).click();
    await expect(rows).toHaveCount(QUESTIONS);
  });

  await test.step("the display menu widens the narrow columns, hides numbers and keeps the baseline's rows", async () => {
    await page.getByRole("button", { name: "Display", exact: true }).click();
    await page.getByText("Colours only").click();
    await page.getByRole("checkbox", { name: "Only questions with a score under the baseline" }).check();
    await expect(page).toHaveURL(/only=baseline/);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    const heading = grid.getByRole("columnheader").nth(4);
    await expect.poll(async () => (await heading.boundingBox())?.width).toBe(44);
    await expectStillAccessible(page);
    await expectToFit(page, 360);
    await page.reload();
    await expect.poll(async () => (await heading.boundingBox())?.width).toBe(44);
    await page.getByRole("button", { name: "Display", exact: true }).click();
    await page.getByText("Full width").click();
    await expect.poll(async () => (await heading.boundingBox())?.width).toBeGreaterThan(44);
    await page.getByText("Numbers", { exact: true }).click();
    await page.getByRole("checkbox", { name: "Only questions with a score under the baseline" }).uncheck();
    await page.keyboard.press("Escape");
  });

  await test.step("arrows move a ring, b changes the baseline, Enter opens the question in that configuration", async () => {
    await grid.focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    const ring = grid.locator("[data-ring]");
    await expect(ring).toHaveAttribute("aria-label", /0\.40/);
    await page.keyboard.press("b");
    await expect(page).toHaveURL(/baseline=/);
    await expect(grid.getByRole("columnheader").nth(4)).toContainText("baseline");
    const question = await grid.getByRole("rowheader").nth(1).innerText();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/runs\/.+\/questions\/\d+/);
    await expect(page.getByText(question).first()).toBeVisible();
    // The same question under the other configurations of the sweep, one link away; arrows walk the strip.
    const strip = page.getByRole("navigation", { name: "Configurations of the sweep" });
    await expect(strip.getByRole("link")).toHaveCount(3);
    await expect(strip.locator("[aria-current]")).toContainText("0.40");
    const across = page.getByRole("region", { name: "All configurations" });
    await expect(across.getByRole("listitem")).toHaveCount(3);
    // The cut of each ranking, and the means of the whole sweep above the names.
    await expect(across.getByRole("img", { name: /^Ranks 1 to \d+ of \d+ kept/ }).first()).toBeVisible();
    await expect(across.getByText("Mean of the sweep")).toBeVisible();
    await expect(across.getByText(/^CPS0\.\d\d$/)).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, 360);
    await strip.getByRole("link").nth(1).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await expect(strip.locator("[aria-current]")).toContainText("0.60");
    await page.goBack();
    await page.goBack();
    await expect(grid).toBeVisible();
  });
});
