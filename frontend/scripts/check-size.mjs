// Fails when the first load (what index.html names: entry, its static imports, style sheets) is over the budget.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const BUDGET_KB = 260;
const folder = new URL("../../passer/static/", import.meta.url);
const page = readFileSync(new URL("index.html", folder), "utf8");
const named = [...page.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map((match) => match[1]);
let total = gzipSync(page).length;
for (const name of new Set(named)) {
  const bytes = gzipSync(readFileSync(new URL(name, folder)), { level: 9 }).length;
  total += bytes;
  console.log(`${(bytes / 1000).toFixed(1).padStart(8)} kB  ${name}`);
}
console.log(`${(total / 1000).toFixed(1).padStart(8)} kB  first load, gzip (budget ${BUDGET_KB} kB)`);
process.exitCode = total / 1000 > BUDGET_KB ? 1 : 0;
