import { Problem } from "@/api/problem";
import { words } from "@/words";

const label = words.wallet;
type Sentence = (...facts: string[]) => string;
const sentences = label.refusals as Record<Why, Sentence>;

export type Why = keyof typeof label.refusals;

/** HTTP's word for the same thing. */
const REFUSED = 403;

/** This page does not sign, or does not send what was signed; it goes the way of all problems. */
export class Refusal extends Problem {
  readonly why: Why;

  constructor(why: Why, ...facts: string[]) {
    super(REFUSED, label.notSigned, sentences[why](...facts));
    this.why = why;
  }
}

/** The user closed a window of the wallet, or declined in it: nothing went wrong. */
export class Cancelled extends Error {}
