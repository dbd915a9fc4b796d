// Writes src/api/defaults.ts and src/api/models.d.ts from the API's description, as openapi-typescript writes its types
// beside it: a form starts with the server's defaults without asking for them first, each of the server's models has its
// own name on the page, and none of them is written a second time.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const { paths, components } = JSON.parse(readFileSync(path("openapi.json"), "utf8"));
const { example } = paths["/api/v1/defaults"].get.responses[200].content["application/json"];
const text = `import type { components } from "./schema";

/** Settings that apply where a person names none; generated from the description of the API. */
export const usual: components["schemas"]["Defaults"] = ${JSON.stringify(example, null, 2)};
`;
writeFileSync(path("src/api/defaults.ts"), text);
const names = Object.keys(components.schemas).filter((name) => /^\w+$/.test(name));
const types = `import type { Readable } from "openapi-typescript-helpers";
import type { components } from "./schema";

${names.map((name) => `export type ${name} = Readable<components["schemas"]["${name}"]>;`).join("\n")}
`;
writeFileSync(path("src/api/models.d.ts"), types);
