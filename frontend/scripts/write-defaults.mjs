// Writes src/api/defaults.ts from the API's description, as openapi-typescript writes its types beside it: a form starts
// with the server's defaults without asking for them first, and none of them is written a second time.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const { paths } = JSON.parse(readFileSync(path("openapi.json"), "utf8"));
const { example } = paths["/api/v1/defaults"].get.responses[200].content["application/json"];
const text = `import type { components } from "./schema";

/** Settings that apply where a person names none; generated from the description of the API. */
export const usual: components["schemas"]["Defaults"] = ${JSON.stringify(example, null, 2)};
`;
writeFileSync(path("src/api/defaults.ts"), text);
