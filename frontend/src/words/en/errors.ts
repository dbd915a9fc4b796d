export const errors = {
  offlineTitle: "The server does not answer",
  offline: "The server does not answer: check that `passer serve` is still running, then try again.",
  status: (status: number) =>
    `The server answered with status ${status} and no explanation; its log says more.`,
  /** The kind of a problem, as the server names it, in the reader's language. */
  kind: (title: string) => title,
  retry: "Try again",
  row: (row: number) => `Row ${row}`,
  more: (count: number) => `and ${count} more`,
  crashTitle: "This page could not be shown",
  crash: "Something in the page went wrong; what the server keeps is not affected. Reload the page to go on.",
  reload: "Reload",
  missingTitle: "There is nothing at this address",
  missing: "It may have been deleted, or the address may be incomplete.",
  home: "Go to the sweeps",
  close: "Close",
};
