import { expect, expectAccessible, expectToFit, modelledTest as test } from "./fixtures";
import { finishedSweep, loadExample } from "./sweeps";

const NARROW = 360;

test("a tournament: plan, ratings, who won against whom, one game with both replies", async ({
  page,
  request,
}) => {
  await loadExample(request);
  const sweep = await finishedSweep(request, "To be compared");

  await test.step("the plan counts games and requests before any is made", async () => {
    await page.goto(`/arena?sweep=${sweep}`);
    await page.getByRole("combobox", { name: "Judge", exact: true }).click();
    await page.getByRole("option", { name: /^mistral/ }).click();
    await page.getByLabel("Games per question").fill("2");
    await expect(page.getByText("Games", { exact: true })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("it is played to its end, and says what its judge is worth", async () => {
    await page.getByRole("button", { name: "Start tournament" }).click();
    await expect(page).toHaveURL(/\/arena\/[0-9a-f]+/);
    await expect(page.getByText("Finished")).toBeVisible({ timeout: 60_000 });
    const ratings = page.getByRole("table", { name: "Ratings" });
    await expect(ratings.getByRole("row")).toHaveCount(4);
    // The scripted judge always says A.
    await expect(page.getByText(/The verdicts carry no information/)).toBeVisible();
    await expect(page.getByText("Verdicts for the first answer")).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("a cell of the matrix leads to its games, and a game to its texts", async () => {
    await page
      .getByRole("link", { name: /against .*: \d+ wins/ })
      .first()
      .click();
    const games = page.getByRole("region", { name: /^Games of/ });
    await games
      .getByRole("row", { name: /Orders disagree/ })
      .first()
      .getByRole("link")
      .click();
    const game = page.getByRole("region", { name: /^Game on question/ });
    await expect(game.getByText("Shown first:").first()).toBeVisible();
  });
});

test("a table of games becomes a tournament, and its sweepless page is whole", async ({ page }) => {
  await page.goto("/arena");
  const rows = Array.from({ length: 30 }, (_, n) => `${n},first,second,${"AAB"[n % 3]}`);
  await page
    .getByRole("region", { name: "Import games" })
    .locator("input[type=file]")
    .setInputFiles({
      name: "cup.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(["qid,a,b,winner", ...rows].join("\n")),
    });
  await page.getByRole("button", { name: "Import games" }).click();
  await expect(page.getByRole("heading", { name: "cup", level: 1 })).toBeVisible();
  await expect(page.getByRole("img", { name: /^Rating \d+, 95 % interval/ })).toHaveCount(2);
  await page.getByRole("link", { name: "first against second: 20 wins, 10 losses, 0 ties" }).click();
  await expect(page.getByRole("region", { name: "Games of first and second" })).toBeVisible();
});
