import { execFileSync } from "node:child_process";
import type { Page } from "@playwright/test";
import { test as base } from "./fixtures";
import { PYTHON, ROOT, Server } from "./server";

/** A server on a home with one sweep for each verdict; nothing is retrieved or generated. */
export const test = base.extend<object, { judged: Server }>({
  judged: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const server = new Server();
      execFileSync(PYTHON, ["-m", "tests.judged_home", server.home], { cwd: ROOT });
      await server.start();
      await use(server);
      await server.stop();
      server.remove();
    },
    { scope: "worker", timeout: 180_000 },
  ],
  baseURL: async ({ judged }, use) => {
    await use(judged.address);
  },
});

/** The verdict card of a sweep, opened. */
export async function cardOf(page: Page, sweep: string) {
  await page.goto(`/sweeps/${sweep}`);
  return page.getByRole("region", { name: "Verdict" });
}
