import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, vi } from "vitest";

// Not a measure of speed: on a busy machine a part that is loaded when it is shown takes longer than the default of 1 s.
configure({ asyncUtilTimeout: 10_000 });

afterEach(cleanup);

// The next file of this worker finds the page's modules, storage and address as at its start; only libraries are kept.
afterAll(() => {
  vi.resetModules();
  globalThis.localStorage?.clear();
  globalThis.sessionStorage?.clear();
  globalThis.history?.replaceState(null, "", "/");
});
