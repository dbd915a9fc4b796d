const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

function hostOf(address: string): string {
  try {
    return new URL(address).hostname;
  } catch {
    return "";
  }
}

/**
 * Whether page, server and chain are all on this one machine, as with `python -m tests.chain`: only then a key may be
 * typed into the page. Everywhere else it would be a habit that costs people their accounts.
 */
export function isTestChain(urls: readonly string[], pageHost: string): boolean {
  return (
    LOOPBACK.includes(pageHost) && urls.length > 0 && urls.every((url) => LOOPBACK.includes(hostOf(url)))
  );
}
