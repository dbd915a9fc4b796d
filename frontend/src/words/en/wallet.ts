export const wallet = {
  title: "Wallet",
  lead: "Entries of finished runs go on the chain under your account: your wallet signs them, and your key stays in it.",
  chain: "Chain",
  contract: "Contract",
  nodes: "Nodes",
  waiting: "Entries that wait",
  account: "Account",
  away: "Nothing is signed here",
  noContract:
    "The chain answers, but the account that is set holds no contract: look at PASSER_CHAIN_CONTRACT.",
  signsItself: "The server signs with a key of its own: entries go by themselves.",
  nothingWaits: "No entry waits for a signature.",
  open: "Open the wallet",
  notOpened: "The wallet could not be opened",
  notLoaded: "The program for wallets could not be loaded: reload the page and try again.",
  notSignedIn: "Nobody is signed in.",
  signedIn: (account: string, permission: string, by: string) =>
    `Signed in as ${account}@${permission}, ${by}.`,
  by: { anchor: "with Anchor", key: "with a key that this page forgets when it closes" },
  signOut: "Sign out",
  anchor: "Sign in with Anchor",
  anchorText:
    "Anchor is a wallet for desktop and phone. It shows what it signs, and keeps your key. What it answers comes back through this relay, which sees your account and the signatures, never a key:",
  getAnchor: "Get Anchor",
  notIn: "You are not signed in",
  notInText: "Anchor was closed or declined before it signed you in.",
  noAnswer: (reason: string) => `The wallet gave no answer that can be used: ${reason}`,
  key: "Test chain: sign with a key",
  keyText:
    "The chain runs on this machine, so a key of it is worth nothing elsewhere. Never type a key of any other chain into a page.",
  keyAccount: "Account",
  keyPermission: "Permission",
  keyKey: "Private key of the test account",
  keyHint: "It stays in this page’s memory until the page is reloaded. The server never gets it.",
  keyButton: "Sign in with this key",
  keyBroken: "This is no private key: it begins with PVT_K1_, or is one of 51 characters that begins with 5.",
  accountBroken: "An account has up to 12 of the characters a-z, 1-5 and the dot.",
  sign: (count: string) => `Sign ${count} entries`,
  signOne: "Sign 1 entry",
  preparing: "The server prepares the transaction.",
  review: "What you sign",
  reviewRun: (run: string, rows: string) => `run ${run}: ${rows}`,
  rows: "Rows",
  expires: "Valid until",
  transaction: "Transaction",
  later: (count: string) => `${count} more entries follow, at most 50 at a time; your wallet asks for each.`,
  agree: "Sign this",
  decline: "Do not sign",
  inWallet: "The wallet is asked. It shows the same transaction.",
  sending: "The signature is checked and goes to the chain.",
  progress: (done: string, total: string) => `${done} of ${total} entries are on the chain`,
  stop: "Stop after this transaction",
  stopping: "It stops after this transaction.",
  done: "Signed",
  doneText: (count: string) =>
    `${count} entries are on the chain. They count as recorded when their block cannot be undone.`,
  doneOne: "1 entry is on the chain. It counts as recorded when its block cannot be undone.",
  stopped: "Stopped",
  stoppedText: (done: string, left: string) =>
    `${done} entries are on the chain, ${left} still wait. Nothing is lost.`,
  kept: "Signed, and kept",
  cancelled: "Not signed",
  cancelledText: (done: string) =>
    `You did not sign. Nothing was sent of this transaction and no entry is lost: they wait as before. On the chain by now: ${done}.`,
  notSigned: "Not signed",
  refusals: {
    other_id: () =>
      "The transaction that arrived is not the one that its id names: something between the server and this page changed it. Nothing was signed and nothing was sent.",
    other_chain: (chain: string) =>
      `The transaction is for the chain ${chain}, not for the one that you are signed in to. Nothing was signed.`,
    other_signer: (level: string) =>
      `The transaction asks for the signature of ${level}, not of the account that is signed in. Nothing was signed.`,
    other_contract: (action: string) =>
      `The transaction calls ${action}, which records no entry. Nothing was signed.`,
    other_creator: (creator: string, account: string) =>
      `A row in it is one of ${creator}, and ${account} is signed in: nobody signs rows for somebody else. Nothing was signed.`,
    not_read: () =>
      "The transaction cannot be read with the contract’s description, so nobody could see what is signed. Nothing was signed.",
    too_late: () =>
      "By this machine’s clock the transaction is no longer valid. Nothing was signed: start again.",
    changed_by_wallet: () =>
      "The wallet changed the transaction and signed that. Nothing was sent: switch off what pays or signs along in the wallet, and try again.",
    no_signature: () => "The wallet gave no signature. Nothing was sent.",
    wallet_failed: (reason: string) => `The wallet did not sign: ${reason} Nothing was sent.`,
  },
  prompt: {
    login: {
      title: "Connect with Anchor",
      body: "Scan this with Anchor on a phone, or open Anchor on this machine.",
      link: "Open Anchor",
    },
    transact: {
      title: "Sign in Anchor",
      body: "Anchor has been asked. Look there at what you sign, and agree.",
      label: "Anchor does not ask: open it by hand",
      await: "Waiting for Anchor",
      sign_manually: {
        title: "Open Anchor by hand",
        body: "Scan this with Anchor on another device, or open Anchor on this machine.",
        link: { title: "Open Anchor" },
      },
    },
    error: {
      expired: "The transaction was not signed in time.",
      invalid_response: "Anchor’s answer is not complete.",
      not_completed: "Anchor did not finish.",
      cancelled: "It was declined in Anchor.",
    },
  },
  qr: "Code to be scanned with Anchor",
  copyRequest: "Copy the request",
  copied: "Copied",
  close: "Cancel",
  licences: "Licences",
  licencesText:
    "The wallet library is free to use and change, but its licence says that it is not meant for military facilities. docs/licences.md names every part that says so.",
};
