import createFetchClient, { type Middleware } from "openapi-fetch";
import createQueryClient from "openapi-react-query";
import { words } from "@/words";
import { Problem, readProblem } from "./problem";
import type { paths } from "./schema";

async function body(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

/** Everything that goes wrong on the way to the server and back becomes one `Problem`. */
export const problems: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) {
      throw readProblem(response.status, await body(response), words.errors.status(response.status));
    }
  },
  onError({ error }) {
    if (error instanceof Problem || (error instanceof DOMException && error.name === "AbortError")) return;
    return new Problem(0, words.errors.offlineTitle, words.errors.offline);
  },
};

export const client = createFetchClient<paths>({ baseUrl: globalThis.location?.origin ?? "" });
client.use(problems);

/** Typed hooks: `api.useQuery("get", "/api/v1/...")`. */
export const api = createQueryClient(client);
