// Fails when src/api/schema.d.ts is not what openapi.json gives.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "passer-schema-"));
const fresh = join(folder, "schema.d.ts");
try {
  execFileSync("npx", ["openapi-typescript", "openapi.json", "--output", fresh], { stdio: "pipe" });
  if (readFileSync(fresh, "utf8") !== readFileSync("src/api/schema.d.ts", "utf8")) {
    console.error("src/api/schema.d.ts is stale: run `npm run generate` and commit what it writes.");
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
