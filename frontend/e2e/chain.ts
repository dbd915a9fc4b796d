import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { ended, PYTHON, ROOT } from "./server";

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

  /** Boot it; it says on its first line where it is. */
  async start(): Promise<void> {
    const chain = spawn(PYTHON, ["-m", "tests.chain"], { cwd: ROOT, stdio: ["pipe", "pipe", "inherit"] });
    this.process = chain;
    for await (const line of createInterface({ input: chain.stdout })) {
      const { url, chain_id, contract, accounts } = JSON.parse(line);
      Object.assign(this, { url, chainId: chain_id, contract, accounts });
      return;
    }
    throw new Error("The chain did not start: see what it says above.");
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
