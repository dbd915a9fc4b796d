import { choose, expect, expectAccessible, expectStillAccessible, expectToFit, test } from "./fixtures";
import { ModelServer } from "./model-server";
import { loadOwn } from "./sweeps";

test.use({ emptyFor: "data" });

const NARROW = 360;

test("a model server is connected on the page, and its model chosen for a sweep and a question", async ({
  page,
  request,
}) => {
  await loadOwn(request, "farm");
  const lab = new ModelServer({ kind: "other" });
  await lab.start();

  await test.step("what does not answer is said, and nothing is kept", async () => {
    await page.goto("/settings");
    await page.getByRole("button", { name: "Connect a model server" }).click();
    const form = page.getByRole("region", { name: "Connect a model server" });
    await form.getByLabel("Address").fill("http://127.0.0.1:9/v1");
    await form.getByRole("button", { name: "Test" }).click();
    await expect(form.getByRole("alert")).toContainText("does not accept connections");
    await form.getByLabel("Address").fill("http://169.254.169.254");
    await form.getByRole("button", { name: "Test" }).click();
    await expect(form.getByText(/may not connect to the host/)).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("a server with a key is tested and connected; the key is not shown again", async () => {
    const form = page.getByRole("region", { name: "Connect a model server" });
    await form.getByLabel("Address").fill(`${lab.address}/v1`);
    await form.getByLabel("Name of the connection").fill("lab");
    await form.getByLabel("API key", { exact: true }).fill("sk-secret");
    await form.getByRole("button", { name: "Test" }).click();
    await expect(form.getByRole("status")).toContainText("mistral:latest");
    await form.getByRole("button", { name: "Connect server" }).click();
    const server = page.getByRole("region", { name: "lab", exact: true });
    await expect(server).toContainText("key stored encrypted");
    await expect(server.getByRole("row", { name: /mistral:latest/ })).toBeVisible();
    // The list can be new before the form has closed.
    await expect(form).toHaveCount(0);
    expect(await page.content()).not.toContain("sk-secret");
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("its models are in the form of a new sweep and in the form of a question", async () => {
    await page.goto("/new?collection=farm&dataset=farm");
    await choose(page.getByRole("combobox", { name: "Models" }), /mistral:latest/);
    await page.keyboard.press("Escape");
    await expect(page.getByText("openai@lab", { exact: false })).toBeHidden();
    await page.getByRole("button", { name: "Show options" }).click();
    await page.getByLabel("Question limit").fill("2");
    await expect(page.getByRole("button", { name: "Start sweep" })).toBeEnabled({ timeout: 20_000 });
    await expectStillAccessible(page);
    await page.goto("/chat");
    await choose(page.getByRole("combobox", { name: "Model" }), /mistral:latest/);
    await choose(page.getByRole("combobox", { name: "Passages" }), "Normal mode (top-k)");
    await page.getByRole("textbox", { name: "Question", exact: true }).fill("What fixes nitrogen?");
    await page.getByRole("button", { name: "Ask" }).click();
    await expect(page.getByText(/Answer of mistral:latest/)).toBeVisible({ timeout: 30_000 });
  });

  await test.step("a published configuration says what is missing, and takes what is there instead", async () => {
    await page.goto("/new");
    await choose(page.getByRole("combobox", { name: "Open an experiment" }), "Published study, phase I", {
      exact: true,
    });
    await expect(page.getByText("The collection published-phase-1 does not exist.")).toBeVisible();
    await expect(page.getByText("The embedding model ollama/mistral is not available.")).toBeVisible();
    await expect(page.getByText(/The model orca2:7b is not available\..* can replace it/)).toBeVisible();
    await expect(page.getByRole("button", { name: "Start sweep" })).toBeDisabled();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Use replacements" }).click();
    for (const name of ["Collection", "Questions"]) {
      await choose(page.getByRole("combobox", { name, exact: true }), /^farm /);
    }
    await expect(page.getByText("Not available in this installation")).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Start sweep" })).toBeEnabled();
  });

  await test.step("it is disconnected", async () => {
    await page.goto("/settings");
    await page.getByRole("button", { name: "Disconnect lab" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect", exact: true }).click();
    await expect(page.getByRole("region", { name: "lab", exact: true })).toBeHidden();
  });
  await lab.stop();
});
