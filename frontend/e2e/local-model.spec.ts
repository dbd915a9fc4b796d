import { spawnSync } from "node:child_process";
import { choose, expect, expectAccessible, test } from "./fixtures";
import { PYTHON, ROOT } from "./server";
import { loadOwn, untilFinished } from "./sweeps";

test.use({ emptyFor: "local-model" });

const FOUND =
  "from passer.adapters.generators.local.models import built_in_weights as w, engine; engine(); assert w()";
const installed = spawnSync(PYTHON, ["-c", FOUND], { cwd: ROOT }).status === 0;

// The Python tests run this model through sweeps and the HTTP interface, the pages are those of every other model, and
// models.spec.ts opens a published configuration. A server and a model take forty seconds of a processor.
test("a first sweep with a language model, without any model server", { tag: "@soak" }, async ({
  page,
  request,
}) => {
  test.skip(!installed, "the built-in model is not installed");
  await loadOwn(request, "farm");

  await test.step("the model is in the list, and the list says what it is for", async () => {
    await page.goto("/new?collection=farm&dataset=farm");
    await choose(page.getByRole("combobox", { name: "Models" }), /smollm2-135m .*for testing only/);
    await page.getByRole("option", { name: /Extractive reader/ }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Show options" }).click();
    await page.getByLabel("Answer length limit").fill("8");
    await page.getByLabel("Context window").fill("512");
    await choose(page.getByRole("combobox", { name: "Answers" }), "Repeatable");
    await page.getByLabel("From", { exact: true }).fill("0.2");
    await page.getByLabel("To", { exact: true }).fill("0.3");
    await page.getByLabel("Step", { exact: true }).fill("0.1");
    await page.getByLabel("Baseline k").fill("1");
    await expectAccessible(page);
  });

  await test.step("it answers every question", async () => {
    await page.getByRole("button", { name: "Start sweep" }).click();
    await expect(page).toHaveURL(/\/sweeps\//);
    const id = page.url().split("/").pop() ?? "";
    await untilFinished(request, id);
    await expect(page.getByText("Finished").first()).toBeVisible();
    const sweep = await (await request.get(`/api/v1/sweeps/${id}`)).json();
    expect(sweep.sweep.config.answers).toBe("repeatable");
    for (const run of sweep.runs) {
      expect(run.model_info.name).toBe("smollm2-135m");
      expect(run.counts.scored).toBe(2);
    }
  });

  await test.step("it answers a single question, read while it is written", async () => {
    await page.goto("/chat");
    await choose(page.getByRole("combobox", { name: "Model" }), /smollm2-135m/);
    await choose(page.getByRole("combobox", { name: "Passages" }), "Normal mode (top-k)");
    await page.getByRole("textbox", { name: "Question", exact: true }).fill("What fixes nitrogen?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await expect(page.getByText("Answer of smollm2-135m, passages from farm")).toBeVisible({
      timeout: 120_000,
    });
    const tokens = page.getByRole("row", { name: /^Model: generated tokens/ });
    await expect(tokens).toHaveText(/[1-9]/);
    await expectAccessible(page);
  });

  await test.step("a published configuration runs with replacements", async () => {
    await page.goto("/new");
    await choose(page.getByRole("combobox", { name: "Open an experiment" }), "Published study, phase I", {
      exact: true,
    });
    await expect(
      page.getByText(/The model orca2:7b is not available\..*smollm2-135m can replace it/),
    ).toBeVisible();
    await page.getByRole("button", { name: "Use replacements" }).click();
    for (const name of ["Collection", "Questions"]) {
      await choose(page.getByRole("combobox", { name, exact: true }), /^farm /);
    }
    await expect(page.getByText("Not available in this installation")).toHaveCount(0);
    await page.getByRole("button", { name: "Show options" }).click();
    await page.getByLabel("Answer length limit").fill("8");
    await page.getByRole("button", { name: "Start sweep" }).click();
    await expect(page).toHaveURL(/\/sweeps\//);
    await untilFinished(page.request, page.url().split("/").pop() ?? "");
  });
});
