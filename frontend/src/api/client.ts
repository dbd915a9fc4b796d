import createFetchClient, { type Middleware } from "openapi-fetch";
import createQueryClient from "openapi-react-query";
import { language, t } from "@/words";
import { Problem, readProblem } from "./problem";
import { PROJECT_PATH } from "./project";
import type { paths } from "./schema";
import { visibleJson } from "./visible";

/** Heard when a request is refused because nobody is signed in any more. */
export const SIGNED_OUT = "passer:signed-out";
/** Heard when a request is refused to who is signed in: the page may show buttons of an earlier role. */
export const NOT_ALLOWED = "passer:not-allowed";
const SESSION = "/api/v1/session";

async function body(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

/** The server cannot be reached. */
export function offline(): Problem {
  return new Problem(
    0,
    t("Server not reachable"),
    t("The server does not respond. Check that `passer serve` is running, then retry."),
  );
}

/** Everything that goes wrong on the way to the server and back becomes one `Problem`. */
export const problems: Middleware = {
  async onResponse({ response, schemaPath }) {
    if (response.status === 401) globalThis.dispatchEvent(new Event(SIGNED_OUT));
    // A refused request for the session itself would be repeated for ever.
    if (response.status === 403 && schemaPath !== SESSION) globalThis.dispatchEvent(new Event(NOT_ALLOWED));
    if (!response.ok) {
      throw readProblem(
        response.status,
        await body(response),
        t("The server returned status {status, number} without an explanation. Check its log.", {
          status: response.status,
        }),
      );
    }
    // A deletion is answered with 204, whose response cannot have a body, also where the server names a content type.
    if (response.status === 204 || !response.headers.get("content-type")?.startsWith("application/json"))
      return;
    return new Response(visibleJson(await response.text()), {
      status: response.status,
      headers: response.headers,
    });
  },
  onError({ error }) {
    if (error instanceof Problem || (error instanceof DOMException && error.name === "AbortError")) return;
    return offline();
  },
};

export const client = createFetchClient<paths>({
  baseUrl: (globalThis.location?.origin ?? "") + PROJECT_PATH,
  // What the server says is said in the language of the page, not in that of the browser.
  headers: { "accept-language": language },
  // Looked up at each request, so that a test can stand in for the server.
  fetch: (request) => globalThis.fetch(request),
});
client.use(problems);

/** Typed hooks: `api.useQuery("get", "/api/v1/...")`. */
export const api = createQueryClient(client);

/** Where in an address a request goes, and with which query. */
export function at<Path>(path: Path): { params: { path: Path } };
export function at<Path, Query>(path: Path, query: Query): { params: { path: Path; query: Query } };
export function at(path: unknown, query?: unknown) {
  return { params: { path, query } };
}
