import { choose, expect, expectAccessible, expectToFit, test } from "./fixtures";
import { finishedSweep, loadExample } from "./sweeps";

const NARROW = 360;

const MISTRAL = { provider: "ollama", name: "mistral:latest" };

// Variants of what arena.spec.ts goes through, on the same two pages.
test("a tournament by graded passages, with games left out, one more configuration, and people alone", {
  tag: "@soak",
}, async ({ page, request }) => {
  await loadExample(request);
  const sweep = await finishedSweep(request, "To be compared");
  const grades = {
    file: "grades.txt",
    text: "bp-001 0 convention-and-protocols.md 2\nbp-002 0 habitats.md 0\n",
  };
  expect((await request.put("/api/v1/rankings/qrels/by-hand", { data: grades })).ok()).toBe(true);

  const { runs } = await (await request.get(`/api/v1/sweeps/${sweep}`)).json();
  const play = async (some: { id: string }[]) => {
    const data = { runs: some.map(({ id }) => id), judge: MISTRAL, options: { per_question: 1 } };
    const started = await request.post("/api/v1/tournaments", { data });
    await page.goto(`/arena/${(await started.json()).tournament.id}`);
    await expect(page.getByText("Finished")).toBeVisible({ timeout: 60_000 });
  };

  await test.step("a judge reads passages with saved grades, of which those that the graders found relevant", async () => {
    await page.goto(`/arena?sweep=${sweep}`);
    await choose(page.getByRole("combobox", { name: "Judge", exact: true }), /^mistral/);
    await choose(page.getByRole("combobox", { name: "Documents" }), "Relevant passages with their grades");
    await page.getByRole("combobox", { name: "Grades from" }).click();
    const planned = page.waitForRequest(
      (sent) => sent.url().endsWith("/tournaments/plan") && sent.postDataJSON().options.qrels === "by-hand",
    );
    await page.getByRole("option", { name: "by-hand" }).click();
    expect((await (await planned).response())?.status()).toBe(200);
    const bounded = page.waitForRequest(
      (sent) => sent.url().endsWith("/tournaments/plan") && sent.postDataJSON().options.least_grade === 1,
    );
    await page.getByLabel("Minimum grade").fill("1");
    await bounded;
    await expect(page.getByText("Games", { exact: true })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
    await choose(page.getByRole("combobox", { name: "Documents" }), "Passages of all configurations");
    await expect(page.getByRole("combobox", { name: "Grades from" })).toBeHidden();
  });

  await test.step("games are left out of the ratings, and the address keeps which", async () => {
    await play(runs);
    const ratings = page.getByRole("table", { name: "Ratings" });
    const without = page.getByRole("combobox", { name: "Leave out systems" });
    await without.press("ArrowDown");
    await page.getByRole("option").first().click();
    await page.keyboard.press("Escape");
    await expect(ratings.getByRole("row")).toHaveCount(3);
    await page.getByRole("textbox", { name: "Seed" }).fill("7");
    await expect(page).toHaveURL(/counted=.*without.*seed.*7|counted=.*seed.*7.*without/);
    await page.reload();
    await expect(ratings.getByRole("row")).toHaveCount(3);
    await expect(page.getByRole("textbox", { name: "Seed" })).toHaveValue("7");
    const file = page.getByRole("link", { name: "Save Ratings as CSV" });
    await expect(file).toHaveAttribute("href", /seed=7.*without=/);
    await expectToFit(page, NARROW);
    await page.goto(page.url().split("?")[0] ?? "");
    await expect(ratings.getByRole("row")).toHaveCount(4);
  });

  await test.step("a configuration joins a played tournament with few games, outside the ratings", async () => {
    const [one, other, third] = runs;
    await play([one, other]);
    await page.getByRole("combobox", { name: "Configuration to add" }).click();
    await page
      .getByRole("option", { name: third?.name ?? "", exact: true })
      .first()
      .click();
    await page.getByLabel("Maximum number of games").fill("3");
    await page.getByRole("button", { name: "Add configuration" }).click();
    const few = page.getByRole("table", { name: "Systems with few games" });
    await expect(few.getByRole("row", { name: new RegExp(`${third?.name}.* 3 `) })).toBeVisible();
    await expect(page.getByRole("table", { name: "Ratings" }).getByRole("row")).toHaveCount(3);
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("people decide games of runs that no judge has decided", async () => {
    await page.goto(`/arena?sweep=${sweep}&by=people`);
    const people = page.getByRole("region", { name: "Games by people" });
    await people.getByLabel("Games to draw").fill("2");
    await people.getByRole("combobox", { name: "Raters" }).fill("dahlia");
    await people.getByRole("combobox", { name: "Raters" }).press("Enter");
    await people.getByRole("button", { name: "Create rating links" }).click();
    await expect(people.locator("code")).toHaveCount(1);
  });
});
