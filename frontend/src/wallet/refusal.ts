import { Problem } from "@/api/problem";
import { t } from "@/words";

const REFUSALS = {
  other_id: () =>
    t(
      "The transaction does not match its ID: it was changed between the server and this page. Nothing was signed or sent.",
    ),
  other_chain: (chain: string) =>
    t(
      "The transaction is for the blockchain {chain}, but you are signed in to another one. Nothing was signed.",
      { chain },
    ),
  other_signer: (level: string) =>
    t(
      "The transaction needs the signature of {level}, which is not the account signed in. Nothing was signed.",
      { level },
    ),
  other_contract: (action: string) =>
    t("The transaction calls {action}, which does not record an entry. Nothing was signed.", { action }),
  other_creator: (creator: string, account: string) =>
    t(
      "The transaction contains a row of {creator}, but {account} is signed in. Sign in as {creator} to sign it. Nothing was signed.",
      { creator, account },
    ),
  not_read: () =>
    t(
      "The contract’s ABI cannot decode the transaction, so its content cannot be shown. Nothing was signed.",
    ),
  too_late: () =>
    t("The transaction has expired by the clock of this machine. Nothing was signed. Start again."),
  changed_by_wallet: () =>
    t(
      "The wallet changed the transaction before signing it. Nothing was sent. Disable fee payers and co-signers in the wallet, then retry.",
    ),
  no_signature: () => t("The wallet returned no signature. Nothing was sent."),
  wallet_failed: (reason: string) => t("The wallet did not sign: {reason} Nothing was sent.", { reason }),
};
type Sentence = (...facts: string[]) => string;
const sentences = REFUSALS as Record<Why, Sentence>;

export type Why = keyof typeof REFUSALS;

/** HTTP's word for the same thing. */
const REFUSED = 403;

/** This page does not sign, or does not send what was signed; it goes the way of all problems. */
export class Refusal extends Problem {
  readonly why: Why;

  constructor(why: Why, ...facts: string[]) {
    super(REFUSED, t("Not signed"), sentences[why](...facts));
    this.why = why;
  }
}

/** The user closed a window of the wallet, or declined in it: nothing went wrong. */
export class Cancelled extends Error {}
