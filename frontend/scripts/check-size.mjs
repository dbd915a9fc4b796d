// Fails when the first load (index.html, what it names, and the page at "/") is over the budget in bytes or files.
import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";

const BUDGET_KB = 210;
const BUDGET_FILES = 20;
const PAGE = "src/features/sweeps/SweepsPage.tsx";
const folder = new URL("../../passer/static/", import.meta.url);
const read = (name) => readFileSync(new URL(name, folder));
const manifest = JSON.parse(read(".vite/manifest.json"));
const names = new Set(["index.html"]);
for (const [, name] of String(read("index.html")).matchAll(/(?:src|href)="\/([^"]+)"/g)) names.add(name);
// The page is a chunk of its own only where the router imports it so.
const chunks = new Set(manifest[PAGE] ? [PAGE] : []);
// Iterating over a set reaches what is added on the way.
for (const chunk of chunks) {
  const { file, css = [], imports = [] } = manifest[chunk];
  for (const name of [file, ...css]) names.add(name);
  for (const other of imports) chunks.add(other);
}
const kb = (bytes) => `${(bytes / 1000).toFixed(1).padStart(8)} kB`;
let [gzip, brotli] = [0, 0];
for (const name of names) {
  const [own, smaller] = [gzipSync(read(name), { level: 9 }).length, brotliCompressSync(read(name)).length];
  gzip += own;
  brotli += smaller;
  console.log(`${kb(own)}  ${name}`);
}
console.log(`${kb(gzip)}  first load in gzip (budget ${BUDGET_KB} kB), ${kb(brotli).trim()} in brotli`);
console.log(`${String(names.size).padStart(8)}     files (budget ${BUDGET_FILES})`);
process.exitCode = gzip / 1000 > BUDGET_KB || names.size > BUDGET_FILES ? 1 : 0;
