import { test as base, expect, type Locator, type Page } from "@playwright/test";
import { ModelServer } from "./model-server";
import { Server } from "./server";

/** The first prompt that holds one of these is refused by the model server; asked again, it is answered. */
export const REFUSED = ["Who counted the first bees?", "Who counted the second bees?"];

interface Workers {
  /**
   * What begins on an empty server without a model server has a name here: another value is another worker, with a
   * server of its own. Each takes ten seconds of a processor until its example is in, so that files without a name share
   * one, and so do files of one name. They may find there what files before them in the alphabet left: after those of
   * "data" there may be datasets and a sweep, but no collection.
   */
  emptyFor: string;
  /** A scripted model server, whose answers take a moment and no computing. */
  models: ModelServer;
  server: Server;
}

/** Tests of one worker share its server; each file's tests say what they find there. */
export const test = base.extend<{ baseURL: string }, Workers>({
  emptyFor: ["", { option: true, scope: "worker" }],
  models: [
    async ({ emptyFor }, use) => {
      const models = new ModelServer({ refuse: REFUSED, latency: 0.2 });
      if (emptyFor === "") await models.start();
      await use(models);
      await models.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  server: [
    async ({ emptyFor, models }, use) => {
      const server = new Server(emptyFor === "" ? { models: models.address } : {});
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

export { expectAccessible, expectStillAccessible } from "./accessible";
export { expect };

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
