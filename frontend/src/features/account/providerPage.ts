/** Where the identity provider sends the browser back to; it is entered there. */
const RETURN_PATH = "/sign-in";

/** Where to go after a sign-in in a window of its own: nowhere, as the pages are open in the window that it came from. */
export const APART = RETURN_PATH;

/** Whether the browser comes from the identity provider. */
export function isReturn(): boolean {
  const { pathname, search } = globalThis.location;
  return pathname === RETURN_PATH && new URLSearchParams(search).has("state");
}

/** The page that is open, to come back to. */
export function thisPage(): string {
  const { pathname, search, hash } = globalThis.location;
  return pathname === RETURN_PATH ? "/" : `${pathname}${search}${hash}`;
}
