// Verifies bundles as the browser does: one line of JSON for each file; null for a file that is no bundle.
// Usage: node scripts/verify-bundle.mjs BUNDLE...
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const source = fileURLToPath(new URL("../src/verify/index.ts", import.meta.url));
const { module } = await runnerImport(source, { configFile: false, logLevel: "error" });
for (const path of process.argv.slice(2)) {
  console.log(JSON.stringify(await module.verify(new Uint8Array(readFileSync(path)))));
}
