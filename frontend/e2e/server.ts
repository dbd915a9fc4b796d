import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const PYTHON = process.env.PASSER_PYTHON ?? join(ROOT, ".venv/bin/python");
const START_MS = 120_000;
const LOOK_EVERY_MS = 200;

/** A port that nothing listens on now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}/health`)).ok;
  } catch {
    return false;
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The command `passer`, as forks.ts prepares it. */
function passer(): string {
  if (process.env.PASSER_FORKED === undefined) throw new Error("forks.ts was not run before the tests.");
  return process.env.PASSER_FORKED;
}

export function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => server.once("exit", () => resolve()));
}

/** A real `passer serve` with an empty home of its own; it can be stopped and started again on the same home. */
export class Server {
  readonly home = mkdtempSync(join(tmpdir(), "passer-e2e-"));
  address = "";
  private process: ChildProcess | null = null;
  /** Port 9 is closed on every machine: no model server, whatever runs here. */
  private readonly models: string;
  private readonly settings: Record<string, string>;
  private log = "";

  constructor({
    models = "http://127.0.0.1:9",
    settings = {},
  }: { models?: string; settings?: Record<string, string> } = {}) {
    this.models = models;
    this.settings = settings;
  }

  /** Start it, and wait until it answers. */
  async start(): Promise<void> {
    const port = this.address === "" ? await freePort() : Number(new URL(this.address).port);
    this.address = `http://127.0.0.1:${port}`;
    const server = spawn(passer(), ["serve", "--port", String(port)], {
      cwd: this.home,
      env: { ...process.env, PASSER_HOME: this.home, PASSER_OLLAMA_URL: this.models, ...this.settings },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.process = server;
    for (const stream of [server.stdout, server.stderr]) {
      stream.on("data", (text: Buffer) => {
        this.log += text.toString();
      });
    }
    const deadline = Date.now() + START_MS;
    while (!(await answers(this.address))) {
      if (server.exitCode !== null || Date.now() > deadline) {
        server.kill("SIGKILL");
        throw new Error(`passer serve did not start:\n${this.log}`);
      }
      await pause(LOOK_EVERY_MS);
    }
  }

  /** Run a command on its machine, beside it. */
  run(...command: string[]): void {
    const env = { ...process.env, PASSER_HOME: this.home };
    execFileSync(passer(), command, { env, stdio: "pipe" });
  }

  /** Stop it as Ctrl-C does; what it keeps stays. */
  async stop(): Promise<void> {
    this.process?.kill("SIGINT");
    if (this.process) await ended(this.process);
    this.process = null;
  }

  /** Remove what it kept. */
  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}
