import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test as base, expect } from "@playwright/test";
import { expectAccessible, expectToFit } from "./fixtures";
import { ended, PYTHON, ROOT, Server } from "./server";

const NARROW = 360;
const PASSWORD = "correct horse battery";

/** The identity provider of the Python tests, over real HTTP; it signs everybody in as maria. */
class Provider {
  address = "";
  private process: ChildProcess | null = null;

  async start(): Promise<void> {
    const started = spawn(PYTHON, ["-m", "tests.oidc_provider"], {
      cwd: ROOT,
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.process = started;
    this.address = await new Promise((resolve) =>
      started.stdout.once("data", (line) => resolve(String(line).trim())),
    );
  }

  async stop(): Promise<void> {
    this.process?.stdin?.end();
    if (this.process) await ended(this.process);
  }
}

const test = base.extend<{ server: Server }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern
  server: async ({}, use) => {
    const provider = new Provider();
    await provider.start();
    const server = new Server({
      settings: {
        PASSER_ENCODER: "none",
        PASSER_OIDC_ISSUER: provider.address,
        PASSER_OIDC_CLIENT_ID: "passer",
        PASSER_OIDC_CLIENT_SECRET: "a client's secret: +/&",
        PASSER_OIDC_LABEL: "Institute account",
      },
    });
    await server.start();
    const file = join(server.home, "password");
    writeFileSync(file, PASSWORD);
    server.run("users", "add", "boss", "--role", "admin", "--password-file", file);
    await use(server);
    await server.stop();
    server.remove();
    await provider.stop();
  },
});

test("a person connects an account of the institute, and signs in with it from then on", {
  tag: "@soak",
}, async ({ page, server }) => {
  const withInstitute = page.getByRole("button", { name: "Sign in with Institute account" });

  await test.step("unknown people are refused in a sentence", async () => {
    await page.goto(`${server.address}/datasets`);
    await expectAccessible(page);
    await expectToFit(page, NARROW);
    await withInstitute.click();
    await expect(page.getByRole("alert")).toContainText("You have no account in this PaSSER.");
    await expectAccessible(page);
    await page.getByRole("link", { name: "Sign in" }).click();
  });

  await test.step("whoever is signed in connects it", async () => {
    await page.getByLabel("Account name").fill("boss");
    await page.locator("input[type=password]").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page.getByRole("link", { name: "Signed in as boss" })).toBeVisible();
    await page.goto(`${server.address}/account`);
    await page.getByRole("button", { name: "Connect Institute account" }).click();
    await expect(page).toHaveURL(`${server.address}/account`);
    await expect(page.getByRole("table", { name: "Connected sign-ins" })).toContainText("248289761001");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Sign out" }).click();
  });

  await test.step("the next sign-in leads back to the page that was asked for", async () => {
    await page.goto(`${server.address}/datasets`);
    await withInstitute.click();
    await expect(page).toHaveURL(`${server.address}/datasets`);
    await expect(page.getByRole("link", { name: "Signed in as boss" })).toBeVisible();
  });

  await test.step("what was typed when the session ended is kept: the provider opens in a window of its own", async () => {
    await page.goto(`${server.address}/account`);
    await page.getByLabel("Name of the project").fill("half-typed");
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Add project" }).click();
    await expect(page.getByText("Signing in to Institute account opens another window")).toBeVisible();
    const opened = page.waitForEvent("popup");
    await withInstitute.click();
    const popup = await opened;
    await expect(page.getByLabel("Name of the project")).toHaveValue("half-typed");
    await expect.poll(() => popup.isClosed()).toBe(true);
  });

  await test.step("an address from elsewhere signs nobody in", async () => {
    await page.context().clearCookies();
    await page.goto(`${server.address}/sign-in?code=stolen&state=made-up`);
    await expect(page.getByRole("alert")).toContainText("began in another browser");
  });
});
