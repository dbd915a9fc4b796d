import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test as base, expect, type Page } from "@playwright/test";
import { expectAccessible, expectStillAccessible, expectToFit } from "./fixtures";
import { Server } from "./server";

const NARROW = 360;
const PASSWORD = "correct horse battery";
const QUESTIONS = '[{"id": "q1", "question": "What fixes nitrogen?", "reference": "Clover."}]';

const test = base.extend<{ server: Server }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern
  server: async ({}, use) => {
    const server = new Server({ settings: { PASSER_ENCODER: "none" } });
    await server.start();
    await use(server);
    await server.stop();
    server.remove();
  },
});

function addAccount(server: Server, name: string, ...more: string[]): void {
  const file = join(server.home, "password");
  writeFileSync(file, PASSWORD);
  server.run(...more, "users", "add", name, "--role", "admin", "--password-file", file);
}

async function signIn(page: Page, name: string): Promise<void> {
  await page.getByLabel("Account name").fill(name);
  await page.locator("input[type=password]").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("the pages show one project at a time, and its members no other", async ({ page, server }) => {
  const choice = page.getByRole("combobox", { name: "Project" });
  const datasets = page.getByRole("table", { name: "Datasets" });

  await test.step("without another project nothing speaks of projects", async () => {
    await page.goto(`${server.address}/datasets`);
    await expect(page.getByRole("link", { name: "Settings", exact: true })).toBeVisible();
    await expect(page.getByText("English")).toBeVisible();
    await expect(choice).toHaveCount(0);
  });

  await test.step("a dataset of another project is in that project alone", async () => {
    server.run("projects", "add", "litpath");
    const added = await page.request.post(`${server.address}/projects/litpath/api/v1/datasets`, {
      multipart: {
        name: "theirs",
        file: { name: "q.json", mimeType: "application/json", buffer: Buffer.from(QUESTIONS) },
      },
    });
    expect(added.status()).toBe(201);
    await page.reload();
    await expect(page.getByText("theirs")).toHaveCount(0);
    await choice.selectOption("litpath");
    await expect(page).toHaveURL(`${server.address}/projects/litpath/`);
    await page.getByRole("link", { name: "Datasets" }).click();
    await expect(page).toHaveURL(`${server.address}/projects/litpath/datasets`);
    await datasets.getByRole("link", { name: "theirs" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("theirs");
    await page.reload();
    await expect(choice).toHaveValue("litpath");
    await expectStillAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("a member of one project is led to it when signing in", async () => {
    addAccount(server, "maria");
    addAccount(server, "ivan", "--project", "litpath");
    await page.goto(server.address);
    await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
    await signIn(page, "ivan");
    await expect(page).toHaveURL(`${server.address}/projects/litpath/`);
    await expect(choice.getByRole("option")).toHaveText(["litpath"]);
    await page.goto(`${server.address}/datasets/theirs`);
    await expect(page).toHaveURL(`${server.address}/projects/litpath/`);
    await page.getByRole("link", { name: "Signed in as ivan" }).click();
    await expect(page.getByRole("region", { name: "Users" })).toHaveCount(0);
    await page.getByRole("button", { name: "Sign out" }).click();
  });

  await test.step("an administrator adds a project and gives somebody a role in it", async () => {
    await page.goto(`${server.address}/account`);
    await signIn(page, "maria");
    const panel = page.getByRole("region", { name: "Projects" });
    await panel.getByLabel("Name of the project").fill("arena");
    await panel.getByRole("button", { name: "Add project" }).click();
    await panel.getByRole("combobox", { name: "Members of project" }).click();
    await page.getByRole("listbox").getByRole("option", { name: "arena" }).click();
    await panel.getByRole("combobox", { name: "Account", exact: true }).click();
    await page.getByRole("listbox").getByRole("option", { name: "ivan" }).click();
    await panel.getByRole("button", { name: "Set role" }).click();
    const members = panel.getByRole("table", { name: "Members of project arena" });
    await expect(members.getByRole("row", { name: /ivan/ })).toContainText("Viewer");
    await page.reload();
    const log = page.getByRole("table", { name: "Activity log" });
    await expect(log.getByRole("row", { name: /Set the role of a member/ })).toContainText(
      "ivan (arena: viewer)",
    );
    await expect(log.getByRole("row", { name: /users add/ })).toContainText("Command line");
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("an administrator makes a recovery link, and its owner chooses a new password", async () => {
    const users = page.getByRole("region", { name: "Users" });
    await users.getByRole("button", { name: "Recovery link for ivan" }).click();
    const link = users.getByRole("status").getByText(/#recover=/);
    await expect(link).toBeVisible();
    await expectStillAccessible(page);
    const address = await link.innerText();
    // Only some tokens have a hyphen, at which a line ends.
    await link.evaluate((code) => code.replaceChildren("x".repeat(80)));
    await expectToFit(page, NARROW);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.goto(address);
    await page.getByLabel("New password").fill("another password");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByLabel("Account name").fill("ivan");
    await page.locator("input[type=password]").fill("another password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("link", { name: "Signed in as ivan" })).toBeVisible();
  });

  await test.step("each project offers what the role there may do", async () => {
    await page.goto(`${server.address}/projects/arena/`);
    await expect(page.getByText("Viewer: you can read everything")).toBeVisible();
    await expect(page.getByRole("link", { name: "Runs", exact: true })).toBeVisible();
    await expect(page.getByRole("link", { name: /New sweep|Create sweep|Try a question/ })).toHaveCount(0);
    await page.goto(`${server.address}/projects/arena/new`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Not available with your role");
    await expectAccessible(page);
    await page.goto(`${server.address}/projects/litpath/new`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("New sweep");
  });
});
