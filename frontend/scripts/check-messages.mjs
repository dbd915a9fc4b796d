// Fails when a message lacks its Bulgarian, or one of any language is no longer used. With --write it puts the Bulgarian
// catalogue in order: stale messages go, missing ones come with an empty text. Other languages may lack messages.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compare, extract } from "./messages.mjs";

const path = (name) => fileURLToPath(new URL(`../src/${name}`, import.meta.url));
const CATALOGUE = path("words/bg.json");
const catalogue = JSON.parse(readFileSync(CATALOGUE, "utf8"));
const { messages, wrong } = extract(path(""));
if (process.argv.includes("--write")) {
  const keys = [...messages.keys()].sort();
  const kept = Object.fromEntries(keys.map((key) => [key, catalogue[key] ?? ""]));
  writeFileSync(CATALOGUE, `${JSON.stringify(kept, null, 2)}\n`);
}
const others = readdirSync(path("words"))
  .filter((name) => name.endsWith(".json") && name !== "bg.json")
  .map((name) => JSON.parse(readFileSync(path(`words/${name}`), "utf8")));
const all = [
  ...wrong,
  ...compare(messages, catalogue),
  ...others.flatMap((other) => compare(messages, other, false)),
];
for (const what of all) console.error(what);
console.log(`${messages.size} messages, ${all.length} problems`);
process.exitCode = all.length > 0 ? 1 : 0;
