import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { ended, PYTHON, ROOT } from "./server";

/** How it begins to say that there is no node to be had. */
const ABSENT = "nodeos is absent";

interface Keys {
  public: string;
  private: string;
}

/** A real chain with its contract and accounts, on this machine; its keys are worth nothing elsewhere. */
export class Chain {
  url = "";
  chainId = "";
  contract = "";
  accounts: Record<string, Keys> = {};
  private process: ChildProcess | null = null;

  /** Boot it; it says on its first line where it is. Where there is no node on this machine, why. */
  async start(): Promise<string | null> {
    const chain = spawn(PYTHON, ["-m", "tests.chain"], { cwd: ROOT, stdio: "pipe" });
    this.process = chain;
    let said = "";
    chain.stderr.on("data", (text: Buffer) => {
      said += text.toString();
    });
    for await (const line of createInterface({ input: chain.stdout })) {
      const { url, chain_id, contract, accounts } = JSON.parse(line);
      Object.assign(this, { url, chainId: chain_id, contract, accounts });
      return null;
    }
    await ended(chain);
    if (said.startsWith(ABSENT)) return said.trim();
    throw new Error(`The chain did not start:\n${said}`);
  }

  keyOf(account: string): string {
    return this.keysOf(account).private;
  }

  publicKeyOf(account: string): string {
    return this.keysOf(account).public;
  }

  /** The descriptions of a table's rows. */
  async rows(table = "testtable"): Promise<{ userid: string; description: string }[]> {
    const asked = { json: true, code: this.contract, scope: this.contract, table, limit: 1000 };
    const reply = await fetch(`${this.url}/v1/chain/get_table_rows`, {
      method: "POST",
      body: JSON.stringify(asked),
    });
    return (await reply.json()).rows;
  }

  private keysOf(account: string): Keys {
    const keys = this.accounts[account];
    if (!keys) throw new Error(`The chain has no account ${account}.`);
    return keys;
  }

  async stop(): Promise<void> {
    this.process?.kill("SIGTERM");
    if (this.process) await ended(this.process);
  }
}
