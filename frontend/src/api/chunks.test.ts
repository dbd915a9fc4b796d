import { expect, test, vi } from "vitest";
import { answers, needed, optional } from "./chunks";

const gone = new TypeError(
  "Failed to fetch dynamically imported module: http://127.0.0.1/assets/Page-1a2b.js",
);

test("code that a page needs and does not get is a lost connection", async () => {
  await expect(needed(() => Promise.reject(gone))()).rejects.toMatchObject({ isOffline: true });
  await expect(needed(() => Promise.resolve("page"))()).resolves.toBe("page");
});

test("code that a page can do without is requested until it is there", async () => {
  vi.useFakeTimers();
  const importer = vi.fn().mockRejectedValueOnce(gone).mockRejectedValueOnce(gone).mockResolvedValue("board");
  const loaded = optional(importer)();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await loaded).toBe("board");
  expect(importer).toHaveBeenCalledTimes(3);
  vi.useRealTimers();
});

test("a server that refuses, or is gone, does not answer", async () => {
  vi.stubGlobal("fetch", async () => new Response("", { status: 502 }));
  expect(await answers()).toBe(false);
  vi.stubGlobal("fetch", () => Promise.reject(gone));
  expect(await answers()).toBe(false);
  vi.stubGlobal("fetch", async () => new Response("{}"));
  expect(await answers()).toBe(true);
});
