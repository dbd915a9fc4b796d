import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { expect, test } from "vitest";

const FILES = import.meta.glob<string>(["../**/*.ts", "../**/*.tsx", "!../**/*.test.*"], {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The components of Mantine that have a style sheet of their own. */
function sheets(): string[] {
  const folder = dirname(createRequire(import.meta.url).resolve("@mantine/core/styles/Button.css"));
  return readdirSync(folder).flatMap((name) => /^([A-Z]\w*)\.css$/.exec(name)?.[1] ?? []);
}

test("each component of Mantine that a page uses comes with its style sheet", () => {
  const source = Object.values(FILES).join("\n");
  const used = [...source.matchAll(/import \{([^}]+)\} from "@mantine\/core"/g)]
    .flatMap(([, names]) => (names ?? "").split(","))
    .map((name) => name.trim());
  const missing = sheets().filter(
    (name) => used.includes(name) && !source.includes(`@mantine/core/styles/${name}.css`),
  );
  expect(missing).toEqual([]);
  expect(used.length).toBeGreaterThan(100);
});
