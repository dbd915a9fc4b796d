import { choose, expect, expectAccessible, expectStillAccessible, expectToFit, test } from "./fixtures";
import { EXAMPLE, finishedSweep, loadExample } from "./sweeps";

// Unevenly spaced, so that the copy must give them back as a list.
const THRESHOLDS = [...Array(20).keys()].map((i) =>
  Number((0.3 + i * 0.02 + (i > 10 ? 0.005 : 0)).toFixed(3)),
);

interface Entries {
  items: { description: string }[];
  next: string | null;
}

test("a sweep is paused, resumed, cancelled and copied", async ({ page, request }) => {
  await loadExample(request);
  const created = await request.post("/api/v1/sweeps", {
    data: {
      name: "A long one",
      config: {
        dataset: EXAMPLE,
        collection: EXAMPLE,
        model: { provider: "ollama", name: "mistral:latest" },
        // A second try would find the answers of the first, and be over at once.
        options: { seed: test.info().retry },
      },
      // Longer than the steps below take on a busy machine.
      axes: { min_similarity: THRESHOLDS, k: [1, 2, 3], temperature: [0, 0.2, 0.5, 0.8] },
      baseline: { mode: "normal", k: 10 },
    },
  });
  expect(created.status()).toBe(201);
  const told = page.waitForResponse(/\/events(\?|$)/);
  await page.goto(`/sweeps/${(await created.json()).id}`);
  expect((await told).headers()["content-type"]).toContain("text/event-stream");

  await test.step("it shows where its evaluations wait, and the answers as they arrive", async () => {
    await expect(page.getByLabel("Stages")).toContainText("Reading the prompt");
    const latest = page.getByRole("list", { name: "Latest answers" }).getByRole("listitem");
    await expect(latest).toHaveCount(5);
    await expectToFit(page, 360);
  });

  await test.step("the plan of a sweep that waits behind it is registered before it runs", async () => {
    const waiting = await request.post("/api/v1/sweeps", {
      data: {
        name: "A planned one",
        config: {
          dataset: EXAMPLE,
          collection: EXAMPLE,
          model: { provider: "ollama", name: "llama3.1:8b" },
          questions: 4,
        },
        axes: { min_similarity: [0.4, 0.6] },
        baseline: { mode: "normal", k: 10 },
      },
    });
    expect(waiting.status()).toBe(201);
    const { id } = await waiting.json();
    const other = await page.context().newPage();
    await other.goto(`/sweeps/${id}`);
    // One server has room for one model: this sweep uses another.
    const place = other.getByRole("status").filter({ hasText: "Place 1 in the queue" });
    await expect(place).toContainText("another model or context window on the same server");
    await expect(place.getByRole("link", { name: "A long one" })).toBeVisible();
    await other.getByRole("button", { name: "Register before running" }).click();
    await expect(other.getByText("Plan registered")).toBeVisible();
    await expect(other.getByRole("button", { name: "Register before running" })).toBeHidden();
    await expectAccessible(other);
    await expectToFit(other, 360);
    await other.close();
    const { registered } = await (await request.get(`/api/v1/sweeps/${id}`)).json();
    expect(registered).toMatchObject({ configurations: 3, known: 0 });
    // Other tests of this server have left pages of entries, and the sweep that runs adds some.
    const recorded: string[] = [];
    let after: string | null = null;
    do {
      const params = after === null ? {} : { after };
      const entries: Entries = await (await request.get("/api/v1/ledger/entries", { params })).json();
      recorded.push(...entries.items.map(({ description }) => description));
      after = entries.next;
    } while (after !== null);
    expect(recorded).toContain(`registration of sweep ${id}`);
    await request.post(`/api/v1/sweeps/${id}/cancel`);
  });

  await test.step("it can be paused while it runs, and says so", async () => {
    await expect(page.getByText(/of 6\u202f816 evaluations/)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Pause" }).click();
    await expect(page.getByRole("status").filter({ hasText: "Paused" })).toBeVisible();
    await expectStillAccessible(page);
  });

  await test.step("it goes on in every tab that is open", async () => {
    const other = await page.context().newPage();
    // Where nothing is told, a page asks by itself.
    await other.route(/\/events(\?|$)/, (route) => route.abort());
    await other.goto(page.url());
    await other.getByRole("button", { name: "Resume" }).click();
    await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
    await expect(other.getByRole("button", { name: "Pause" })).toBeVisible();
    await other.close();
  });

  await test.step("cancelling asks once, by name", async () => {
    await page.getByRole("button", { name: "Cancel" }).click();
    const question = page.getByRole("dialog", { name: "Cancel this sweep?" });
    await expect(question).toContainText("“A long one” is cancelled");
    await expectAccessible(page);
    await question.getByRole("button", { name: "Keep running" }).click();
    await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
    await page.getByRole("button", { name: "Cancel" }).click();
    await question.getByRole("button", { name: "Cancel sweep" }).click();
    await expect(page.getByText("Cancelled").first()).toBeVisible();
  });

  await test.step("a copy is the same sweep in the form", async () => {
    await page.getByRole("link", { name: "Copy as new sweep" }).click();
    await expect(page.getByLabel("Numbers separated by commas")).toHaveValue(THRESHOLDS.join(", "));
    await expect(page.getByLabel("k", { exact: true })).toHaveValue("1, 2, 3");
    await expect(page.getByText("96 configurations × 71 questions")).toBeVisible();
    await expectStillAccessible(page);
  });
});

test("an answer is read while it is written, stopped, and asked again with a moved cut", async ({
  page,
  request,
  models,
}) => {
  await loadExample(request);
  const unfinished = page.getByRole("group", { name: "Unfinished answer" });
  const stop = page.getByRole("button", { name: "Stop answer" });

  await test.step("Chat shows the passages before the answer, and the answer as it is written", async () => {
    await page.goto("/chat");
    await choose(page.getByRole("combobox", { name: "Model" }), "mistral:latest");
    await models.hold();
    await page.getByRole("textbox", { name: "Question" }).fill("Which habitats are restored?");
    await page.getByRole("textbox", { name: "Question" }).press("Enter");
    await expect(unfinished).toHaveText(/\S/);
    await expect(page.locator("[data-passage]").first()).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, 360);
  });

  await test.step("stopped, it leaves nothing behind; asked once more, it is written to its end", async () => {
    await stop.click();
    await expect(stop).toBeHidden();
    await expect(unfinished).toBeHidden();
    await expect(page.getByRole("region", { name: "Conversation" })).toBeHidden();
    await models.release();
    await models.hold();
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await expect(unfinished).toHaveText(/\S/);
    const begun = (await unfinished.textContent()) ?? "";
    await models.release();
    await expect(page.getByText("Answer of mistral:latest, passages from")).toBeVisible();
    await expect(page.getByRole("region", { name: "Question", exact: true })).toContainText(begun);
  });

  await test.step("a moved cut is asked from here, with the passages that it keeps", async () => {
    await page.getByRole("slider", { name: "Similarity threshold" }).focus();
    await page.keyboard.press("ArrowUp");
    await page.getByRole("button", { name: "Ask with this setting" }).click();
    await expect(page.getByRole("region", { name: "Conversation" }).getByRole("listitem")).toHaveCount(2);
    await expect(page.getByRole("button", { name: "Ask with this setting" })).toBeHidden();
  });

  await test.step("a question of a run is asked again beside its recorded answer", async () => {
    const id = await finishedSweep(request, "Asked again", 1, "mistral:latest");
    const { runs } = await (await request.get(`/api/v1/sweeps/${id}`)).json();
    await page.goto(`/runs/${runs[0].id}/questions/1`);
    await page.getByRole("slider").focus();
    await page.keyboard.press("ArrowUp");
    await models.hold();
    await page.getByRole("button", { name: "Ask with this setting" }).click();
    await expect(unfinished).toHaveText(/\S/);
    await stop.click();
    await expect(unfinished).toBeHidden();
    const once = page.getByRole("region", { name: "One-off answer" });
    await expect(once).toBeHidden();
    await models.release();
    await page.getByRole("button", { name: "Ask with this setting" }).click();
    await expect(once).toContainText("This answer is not saved and does not change the scores of the run.");
    await expectAccessible(page);
    await expectToFit(page, 360);
  });
});

test("a sweep stops at its budget with what it has, and goes on with a larger one", async ({
  page,
  request,
}) => {
  await loadExample(request);
  await page.goto(`/new?collection=${EXAMPLE}&dataset=${EXAMPLE}`);

  await test.step("two models have a context window each", async () => {
    await page.getByRole("combobox", { name: "Models" }).click();
    for (const name of ["mistral:latest", "llama3.1:8b"]) await page.getByRole("option", { name }).click();
    await page.keyboard.press("Escape");
    const window = page.getByRole("textbox", { name: "Context window of llama3.1:8b" });
    await expect(window).toHaveAttribute("placeholder", /4\u202f096 tokens/);
    await window.fill("2048");
    await expectToFit(page, 360);
  });

  await test.step("the plan says what becomes of the budget, and an odd one is refused under its field", async () => {
    await page.getByRole("button", { name: "Show options" }).click();
    await page.getByRole("textbox", { name: "Question limit" }).fill("3");
    const budget = page.getByRole("textbox", { name: "Budget" });
    await budget.fill("plenty");
    await expect(page.getByText("“plenty” is not a budget.").first()).toBeVisible();
    await budget.fill("2-asks");
    await expect(
      page.getByText(/It is not known yet whether the budget of 2 requests suffices/),
    ).toBeVisible();
    await expectStillAccessible(page);
    await expectToFit(page, 360);
  });

  await page.getByRole("button", { name: "Start sweep" }).click();
  await expect(page).toHaveURL(/\/sweeps\//);
  const paused = page.getByRole("status").filter({ hasText: "the budget of 2 requests is used up" });
  await expect(paused).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(/Budget used: 100\u202f% of 2 requests/)).toBeVisible();
  await expect(page.getByText("Results are shown when the sweep is finished or cancelled")).toBeVisible();
  await expect(page.getByRole("region", { name: "Results" })).toHaveCount(0);
  const id = page.url().split("/").at(-1) ?? "";
  await page.goto(`/analysis/sweeps/${id}`);
  await expect(page.getByText("Results are shown when the sweep is finished or cancelled")).toBeVisible();
  await expect(page.getByText("Analysis settings")).toHaveCount(0);
  await page.getByRole("link", { name: "Show sweep" }).click();
  // Nor are its runs' means shown, on their own pages or side by side.
  await page.goto(`/runs/${id}-000`);
  await expect(page.getByText("Results are shown when the sweep is finished or cancelled")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Metrics" })).toHaveCount(0);
  await page.goto(`/compare?runs=${id}-000~${id}-001`);
  await expect(page.getByText("Results are shown when the sweep is finished or cancelled")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Metrics" })).toHaveCount(0);
  await page.goto(`/sweeps/${id}`);
  // The header offers what helps: a plain Resume would be refused.
  await expect(page.getByRole("button", { name: "Resume", exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: "Raise budget" }).click();
  await expect(page.getByRole("textbox", { name: "New budget" })).toBeFocused();
  const { sweep } = await (await request.get(`/api/v1/sweeps/${id}`)).json();
  expect(sweep.windows).toMatchObject([{ model: { name: "llama3.1:8b" }, num_ctx: 2048 }]);
  await expectAccessible(page);
  await expectToFit(page, 360);

  await page.getByRole("textbox", { name: "New budget" }).fill("1-asks");
  await page.getByRole("button", { name: "Resume with this budget" }).click();
  await expect(page.getByText("The budget of 1 request is used up.").first()).toBeVisible();
  await page.getByRole("textbox", { name: "New budget" }).fill("5000-asks");
  await page.getByRole("button", { name: "Resume with this budget" }).click();
  await expect(page.getByRole("heading", { name: "No verdict yet" }).first()).toBeVisible({
    timeout: 60_000,
  });
  // Of a finished sweep this is one of the details.
  await page.getByText("How these figures were computed").click();
  await expect(page.getByText(/Budget used: 1\u202f% of 5\u202f000 requests/)).toBeVisible();
  await expect(page.getByRole("textbox", { name: "New budget" })).toBeHidden();
});
