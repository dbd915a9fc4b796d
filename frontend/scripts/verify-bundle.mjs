// Verifies bundles as the browser does: one line of JSON for each file; null for a file that is no bundle.
// Usage: node scripts/verify-bundle.mjs [BUNDLE...]; without any, of each file that a line of the input names.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

// The bundler alone: Vite's module runner takes five times as long to start, and the tests start it often.
const input = fileURLToPath(new URL("../src/verify/index.ts", import.meta.url));
const bundle = await rolldown({ input, platform: "node", logLevel: "silent" });
const { output } = await bundle.generate({ format: "esm", codeSplitting: false });
const { verify } = await import(
  `data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`
);
const named = process.argv.slice(2);
for await (const path of named.length > 0 ? named : createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await verify(new Uint8Array(readFileSync(path)))));
}
