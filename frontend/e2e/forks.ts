import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ended, PYTHON, ROOT } from "./server";

const START_MS = 120_000;

/** Starts the process whose forks are the commands of the tests: importing PaSSER takes seconds each time. Gives its end. */
export default async function startForks(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "passer-forks-"));
  const socket = join(folder, "socket");
  const forks = spawn(PYTHON, ["-m", "tests.forked", socket, folder], {
    cwd: ROOT,
    // Threads of numpy would not be in the forks.
    env: { ...process.env, OPENBLAS_NUM_THREADS: "1" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  for (const until = Date.now() + START_MS; !existsSync(socket); await pause(50)) {
    if (forks.exitCode !== null || Date.now() > until)
      throw new Error("The process that forks did not start.");
  }
  process.env.PASSER_FORKED = join(folder, "passer");
  return async () => {
    forks.kill("SIGKILL");
    await ended(forks);
    rmSync(folder, { recursive: true });
  };
}
