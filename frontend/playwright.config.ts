import { defineConfig, devices } from "@playwright/test";

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/forks.ts",
  // `make soak` runs all: what is tagged so are second ways to what other tests see.
  grepInvert: process.env.PASSER_SOAK === undefined ? [/@soak/] : [],
  // Each worker has servers of its own; the machine that runs the checks has two cores.
  workers: 2,
  // A whole job on a busy machine, which takes a minute on a quiet one; what is waited for has limits of its own. A
  // browser that does not end was seen once, and holds up a worker for as long as this.
  timeout: 360_000,
  expect: { timeout: 30_000 },
  // A test that passes only the second time is listed as flaky at the end: a defect, but no reason to stop a release.
  retries: 1,
  forbidOnly: process.env.CI !== undefined,
  reporter: [["list"]],
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1280, height: 900 },
    // A control that is not there is missed soon, and not only when the whole test has run out of time.
    actionTimeout: 60_000,
    screenshot: "only-on-failure",
    // Recording costs time, so that only the second try is recorded.
    trace: "on-first-retry",
    launchOptions: {
      executablePath: process.env.PASSER_CHROMIUM ?? "/usr/bin/chromium-headless-shell",
      args: [
        "--no-sandbox",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-domain-reliability",
        "--disable-sync",
        "--no-first-run",
        "--no-pings",
      ],
    },
  },
});
