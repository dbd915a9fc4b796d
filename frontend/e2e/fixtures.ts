import { test as base, expect, type Locator, type Page } from "@playwright/test";
import { ModelServer } from "./model-server";
import { Server } from "./server";

/** The first prompt that holds one of these is refused by the model server; asked again, it is answered. */
export const REFUSED = ["Who counted the first bees?", "Who counted the second bees?"];

interface Workers {
  /**
   * A file whose tests begin on an empty server gives its name: another value is another worker, with servers of its
   * own. Files without a name may find what earlier files left.
   */
  emptyFor: string;
  server: Server;
  /** A scripted model server, whose answers take a moment and no computing. */
  models: ModelServer;
  /** A server beside it. */
  modelled: Server;
}

/** Tests of one worker share its servers; each file's tests say what they find there. */
export const test = base.extend<{ baseURL: string }, Workers>({
  emptyFor: ["", { option: true, scope: "worker" }],
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const server = new Server();
      await server.start();
      await use(server);
      await server.stop();
      server.remove();
    },
    { scope: "worker", timeout: 150_000 },
  ],
  models: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const models = new ModelServer({ refuse: REFUSED, latency: 0.2 });
      await models.start();
      await use(models);
      await models.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  modelled: [
    async ({ models }, use) => {
      const server = new Server({ models: models.address });
      await server.start();
      await use(server);
      await server.stop();
      server.remove();
    },
    { scope: "worker", timeout: 150_000 },
  ],
  baseURL: async ({ server }, use) => {
    await use(server.address);
  },
});

export { expectAccessible } from "./accessible";
export { expect };

/** All tests of a file beside a model server. */
export const modelledTest = test.extend({
  baseURL: async ({ modelled }, use) => {
    await use(modelled.address);
  },
});

/** Open a list and choose one of its options. */
export async function choose(list: Locator, name: string | RegExp, { exact = false } = {}): Promise<void> {
  await list.click();
  await list.page().getByRole("option", { name, exact }).click();
}

/** The file field whose name begins so; the area around it has the same name. */
export function fileField(page: Page, name: string) {
  return page.locator(`input[type=file][aria-label^="${name}"]`);
}

/** The page scrolls down, never sideways, at this width. */
export async function expectToFit(page: Page, width: number): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize({ width, height: 800 });
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(overflow, { message: `${page.url()} at ${width} px` }).toBeLessThanOrEqual(0);
  if (before) await page.setViewportSize(before);
}
