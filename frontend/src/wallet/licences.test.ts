import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Tests run in the folder `frontend`. */
const INSTALLED = "node_modules";
const CLAUSE = /military/i;

function packages(): string[] {
  return readdirSync(INSTALLED).flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(INSTALLED, name)).map((part) => `${name}/${part}`) : [name],
  );
}

function hasClause(name: string): boolean {
  const folder = join(INSTALLED, name);
  if (!existsSync(join(folder, "package.json"))) return false;
  const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|copying)/i.test(file));
  return [...texts, "package.json"].some((file) => CLAUSE.test(readFileSync(join(folder, file), "utf8")));
}

test("every installed package with a clause against military use is in the list, by its own licence", () => {
  const found = packages()
    .filter(hasClause)
    .map((name) => {
      const { license } = JSON.parse(readFileSync(join(INSTALLED, name, "package.json"), "utf8"));
      return `| \`${name}\` | ${license} |`;
    });
  const listed = readFileSync("../docs/licences.md", "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  expect(listed).toEqual(found.sort());
  expect(found.length).toBeGreaterThan(0);
});
