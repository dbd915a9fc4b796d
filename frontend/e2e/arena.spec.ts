import { choose, expect, expectAccessible, expectStillAccessible, expectToFit, test } from "./fixtures";
import { finishedSweep, loadExample } from "./sweeps";

const NARROW = 360;

test("a tournament: plan, ratings, who won against whom, one game with both replies; people decide by links", async ({
  page,
  request,
  browser,
  baseURL,
}) => {
  await loadExample(request);
  const sweep = await finishedSweep(request, "To be compared");
  await test.step("the plan counts games and requests before any is made", async () => {
    await page.goto(`/arena?sweep=${sweep}`);
    await choose(page.getByRole("combobox", { name: "Judge", exact: true }), /^mistral/);
    await page.getByLabel("Games per question").fill("2");
    await choose(page.getByRole("combobox", { name: "Compare", exact: true }), "By five criteria");
    await expect(page.getByText(/^The judge writes five criteria for each question/)).toBeVisible();
    await expect(page.getByText("Games", { exact: true })).toBeVisible();
    await choose(page.getByRole("combobox", { name: "Compare", exact: true }), "Answers as a whole");
    await expect(page.getByText("Games", { exact: true })).toBeVisible();
    await page.getByLabel("Answers cite passages").check();
    await page.getByLabel("Field of expertise").fill("organic farming");
    await page.getByLabel("Language of the judge").fill("Bulgarian");
    await page.getByText("Context window and seeds").click();
    await page.getByLabel("Context window of the judge").fill("6144");
    await page.getByLabel("Seed of the judge").fill("11");
    await page.getByLabel("Seed of the draw").fill("5");
    await page.getByLabel("Price of input").fill("2");
    await page.getByLabel("Price of output").fill("4");
    await expect(page.getByText("Cost", { exact: true })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("it is played to its end, and says what its judge is worth", async () => {
    const started = page.waitForRequest(
      (sent) => sent.method() === "POST" && sent.url().endsWith("/tournaments"),
    );
    await page.getByRole("button", { name: "Start tournament" }).click();
    const asked = (await started).postDataJSON();
    expect(asked).toMatchObject({ num_ctx: 6144, seed: 11, price: { input: 2, output: 4 } });
    expect(asked.options).toMatchObject({
      seed: 5,
      citations: true,
      expert_in: "organic farming",
      language: "Bulgarian",
      orders: "both",
    });
    await expect(page).toHaveURL(/\/arena\/[0-9a-f]+/);
    await expect(page.getByText("Finished")).toBeVisible({ timeout: 60_000 });
    const ratings = page.getByRole("table", { name: "Ratings" });
    await expect(ratings.getByRole("row")).toHaveCount(4);
    // The scripted judge always says A.
    await expect(page.getByText(/The verdicts carry no information/)).toBeVisible();
    await expect(page.getByText("Verdicts for the first answer")).toBeVisible();
    await expect(
      page.getByRole("region", { name: /^(Ratings|Order and length|Games that count)$/ }).first(),
    ).toHaveAccessibleName("Order and length");
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

  const runs = (await (await request.get(`/api/v1/sweeps/${sweep}`)).json()).runs as {
    id: string;
    name: string;
  }[];
  const judged = page.url().match(/arena\/([0-9a-f]+)/)?.[1] ?? "";
  let scored = "";
  let links: string[] = [];

  await test.step("a score decides the same games, and both tournaments are compared", async () => {
    await page.goto(`/arena?sweep=${sweep}`);
    await page.getByText("By a score", { exact: true }).click();
    const form = page.getByRole("region", { name: "Games by a score" });
    await choose(form.getByRole("combobox", { name: "Score", exact: true }), "BLEU", { exact: true });
    await expect(form.getByText("Games without an outcome")).toBeVisible();
    await expectStillAccessible(page);
    await form.getByRole("button", { name: "Decide by this score" }).click();
    await expect(page.getByRole("heading", { name: /^BLEU/, level: 1 })).toBeVisible();
    scored = page.url().match(/arena\/([0-9a-f]+)/)?.[1] ?? "";
    await expect(page.getByRole("table", { name: "Ratings" }).getByRole("row")).toHaveCount(4);
    const compared = page.getByRole("region", { name: "Comparison with another tournament" });
    await choose(compared.getByRole("combobox", { name: "Tournament" }), /^mistral/);
    await expect(compared.getByText("Games decided in both")).toBeVisible();
    await expect(compared.getByRole("link", { name: "Show the other tournament" })).toHaveAttribute(
      "href",
      new RegExp(judged),
    );
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("a tournament gives a link for each rater", async () => {
    await page.goto(`/arena/${scored}`);
    const people = page.getByRole("region", { name: "People" });
    await people.getByLabel("Games to draw").fill("3");
    const raters = people.getByRole("combobox", { name: "Raters" });
    for (const name of ["azalea", "begonia"]) {
      await raters.fill(name);
      await raters.press("Enter");
    }
    await people.getByRole("combobox", { name: "Also grade each answer" }).press("ArrowDown");
    await page.getByRole("option", { name: "Completeness" }).click();
    await page.keyboard.press("Escape");
    await people.getByRole("button", { name: "Create rating links" }).click();
    const shown = people.locator("code");
    await expect(shown).toHaveCount(2);
    links = (await Promise.all([shown.nth(0).textContent(), shown.nth(1).textContent()])).map(String);
    expect(links[0]).toMatch(new RegExp(`^${baseURL}/rate#[\\w-]{22}$`));
    await expectStillAccessible(page);
    await expectToFit(page, NARROW);
    await people.getByRole("link", { name: "Show games of people" }).click();
    await expect(
      page.getByText(/^No rater has decided a game yet\. Send each rater their link/),
    ).toBeVisible();
  });

  const rater = await browser.newContext();
  const own = await rater.newPage();
  const seen: Promise<string>[] = [];
  const asked: string[] = [];
  own.on("response", (response) => {
    asked.push(response.url());
    if (!/\.(js|css|svg)$/.test(new URL(response.url()).pathname)) seen.push(response.text().catch(() => ""));
  });

  await test.step("the rater’s page shows two answers and nothing else, by keyboard", async () => {
    await own.goto(links[0] ?? "");
    await expect(own.getByText("0 of 4 rated")).toBeVisible();
    await expect(own.getByRole("region", { name: "Pair 1 of 4" })).toBeFocused();
    await expectAccessible(own);
    await expectToFit(own, NARROW);
    await own.keyboard.press("4");
    await expect(own.getByRole("region", { name: "Pair 2 of 4" })).toBeFocused();
    await own.keyboard.press("u");
    await expect(own.getByRole("button", { name: "Cannot tell" })).toHaveAttribute("aria-pressed", "true");
    // Grades are buttons, so that the keys of the choice work after them.
    await own
      .getByRole("group", { name: "Answer 2: Completeness" })
      .getByRole("button", { name: "2 fully" })
      .press("Space");
    await own.keyboard.press("1");
    await expect(own.getByRole("region", { name: "Pair 2 of 4" })).toBeFocused();
    await expect(own.getByText("1 of 4 rated")).toBeVisible();
    await own.keyboard.press("u");
    const kept = own.getByRole("group", { name: "Answer 2: Completeness" });
    await expect(kept.getByRole("button", { name: "2 fully" })).toHaveAttribute("aria-pressed", "true");
    await own.evaluate(() => localStorage.setItem("passer.language", "bg"));
    await own.reload();
    await expect(own.getByRole("region", { name: "Двойка 2 от 4" })).toBeVisible();
    await expect(own.getByRole("heading", { name: "Кой отговор е по-добър?" })).toBeVisible();
    await expectStillAccessible(own);
    await expectToFit(own, NARROW);
    for (const place of [2, 3, 4]) {
      await expect(own.getByRole("region", { name: `Двойка ${place} от 4` })).toBeFocused();
      await own.keyboard.press("0");
    }
    await expect(own.getByText(/Оценихте всички двойки/)).toBeVisible();
    await own.keyboard.press("u");
    await expect(own.getByRole("region", { name: "Двойка 4 от 4" })).toBeFocused();
    await own.keyboard.press("ArrowRight");
    await expect(own.getByText(/Оценихте всички двойки/)).toBeVisible();
  });

  await test.step("neither its HTML nor any response names a system, a model or the secret", async () => {
    const texts = [await own.content(), ...(await Promise.all(seen))];
    expect(texts.length).toBeGreaterThan(6);
    const signs = [sweep, scored, "mistral", "BLEU", "similarity", "azalea", "begonia"];
    for (const sign of [...signs, ...runs.flatMap(({ id, name }) => [id, name])])
      for (const text of texts) expect(text).not.toContain(sign);
    const secret = links[0]?.split("#")[1] ?? "";
    expect(asked.filter((url) => url.includes(secret))).toEqual([]);
    // Nothing of the rest of the installation is requested: no session, no sweeps, no models.
    const paths = asked.map((url) => new URL(url).pathname).filter((path) => path.startsWith("/api/"));
    expect(paths.filter((path) => !path.startsWith("/api/v1/rating-sheet"))).toEqual([]);
    await rater.close();
  });

  await test.step("raters and the score are compared, and a revoked link opens nothing", async () => {
    await page.reload();
    const raters = page.getByRole("table", { name: "Raters", exact: true });
    await expect(raters.getByRole("row", { name: /^azalea 4 of 4/ })).toBeVisible();
    await expect(page.getByRole("table", { name: "Ratings of people and score" })).toBeVisible();
    await expect(page.getByText(/^\d of \d rated games$/)).toBeVisible();
    await expect(page.getByRole("table", { name: "Systems by Completeness" })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
    await page.getByRole("button", { name: "Revoke link of azalea" }).click();
    await expect(page.getByText("azalea: no valid link")).toBeVisible();
    await page.goto(links[0] ?? "");
    await expect(page.getByText(/unknown, has expired or was revoked/)).toBeVisible();
  });
});

test("a table of games becomes a tournament, and its sweepless page is whole", async ({ page }) => {
  await page.goto("/arena?by=file");
  const rows = Array.from({ length: 30 }, (_, n) => `${n},first,second,${"AAB"[n % 3]}`);
  await page
    .getByRole("region", { name: "Games from a file" })
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
