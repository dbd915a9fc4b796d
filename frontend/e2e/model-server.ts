import { type ChildProcess, spawn } from "node:child_process";
import { ended, freePort, PYTHON, ROOT } from "./server";

const START_MS = 120_000;

interface Options {
  refuse?: string[];
  latency?: number;
  kind?: "ollama" | "other";
  tunable?: boolean;
}

/** The scripted model server of the Python tests, over real HTTP. */
export class ModelServer {
  address = "";
  private process: ChildProcess | null = null;
  private readonly options: string[];

  /**
   * `refuse`: texts; the first prompt that holds one is refused. `latency`: seconds before each first token. `tunable`:
   * a judge that agrees with people only by an instruction of its own.
   */
  constructor({ refuse = [], latency = 0, kind = "ollama", tunable = false }: Options = {}) {
    const texts = refuse.flatMap((text) => ["--refuse", text]);
    this.options = [...texts, "--latency", String(latency), "--kind", kind];
    if (tunable) this.options.push("--tunable");
  }

  /** Start it, and wait until it answers. */
  async start(): Promise<void> {
    const port = await freePort();
    this.address = `http://127.0.0.1:${port}`;
    this.process = spawn(PYTHON, ["-m", "tests.ollama_server", "--port", String(port), ...this.options], {
      cwd: ROOT,
      stdio: "ignore",
    });
    const deadline = Date.now() + START_MS;
    while (!(await this.answers())) {
      if (Date.now() > deadline) throw new Error("The scripted model server did not start.");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async stop(): Promise<void> {
    this.process?.kill("SIGTERM");
    if (this.process) await ended(this.process);
  }

  /** Stop the next generation in the middle of its reply, until `release`. */
  async hold(): Promise<void> {
    await fetch(`${this.address}/test/hold`, { method: "POST", body: "{}" });
  }

  /** Let the generation that was held go on. */
  async release(): Promise<void> {
    await fetch(`${this.address}/test/release`, { method: "POST", body: "{}" });
  }

  private async answers(): Promise<boolean> {
    try {
      return (await fetch(`${this.address}/v1/models`)).ok;
    } catch {
      return false;
    }
  }
}
