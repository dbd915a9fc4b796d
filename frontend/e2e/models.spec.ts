import { choose, expect, expectAccessible, expectToFit, test } from "./fixtures";
import { ModelServer } from "./model-server";

test.use({ emptyFor: "models" });

const NARROW = 360;

test("a model server is connected on the page, and its model chosen for a sweep and a question", async ({
  page,
}) => {
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
    await page.goto("/collections");
    await page.getByRole("button", { name: /organic farming/ }).click();
    await expect(page).toHaveURL(/organic-farming/, { timeout: 90_000 });
    await page.goto("/new");
    await choose(page.getByRole("combobox", { name: "Models" }), /mistral:latest/);
    await page.keyboard.press("Escape");
    await expect(page.getByText("openai@lab", { exact: false })).toBeHidden();
    await page.getByRole("button", { name: "Show options" }).click();
    await page.getByLabel("Question limit").fill("3");
    await expect(page.getByRole("button", { name: "Start sweep" })).toBeEnabled({ timeout: 20_000 });
    await expectAccessible(page);
    await page.goto("/chat");
    await choose(page.getByRole("combobox", { name: "Model" }), /mistral:latest/);
    await page.getByRole("textbox", { name: "Question", exact: true }).fill("What is compost?");
    await page.getByRole("button", { name: "Ask" }).click();
    await expect(page.getByText(/Answer of mistral:latest/)).toBeVisible({ timeout: 30_000 });
  });

  await test.step("it is disconnected", async () => {
    await page.goto("/settings");
    await page.getByRole("button", { name: "Disconnect lab" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect", exact: true }).click();
    await expect(page.getByRole("region", { name: "lab", exact: true })).toBeHidden();
  });
  await lab.stop();
});
