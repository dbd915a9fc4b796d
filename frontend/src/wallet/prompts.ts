/** What wallets ask of people, handed to the page; WharfKit's own window speaks no Bulgarian and has unnamed buttons. */
import { AbstractUserInterface, type Cancelable, cancelable, type PromptArgs } from "@wharfkit/session";
import { t } from "@/words";
import { Cancelled } from "./refusal";

const PROMPT = {
  login: {
    title: t("Connect with Anchor"),
    body: t("Scan this code with Anchor on a phone, or open Anchor on this machine."),
    link: t("Open Anchor"),
  },
  transact: {
    title: t("Sign the transaction in Anchor"),
    body: t("Review and confirm the transaction in Anchor."),
    label: t("Open Anchor manually"),
    await: t("Waiting for Anchor"),
    sign_manually: {
      title: t("Open Anchor manually"),
      body: t("Scan this code with Anchor on another device, or open Anchor on this machine."),
      link: { title: t("Open Anchor") },
    },
  },
  error: {
    expired: t("The transaction was not signed in time."),
    invalid_response: t("The reply from Anchor is incomplete."),
    not_completed: t("Anchor did not complete the request."),
    cancelled: t("Declined in Anchor."),
  },
};

/** One thing that a wallet wants shown. */
export type PromptPart =
  | { kind: "qr"; text: string }
  | { kind: "link"; href: string; label: string }
  | { kind: "button"; label: string; onClick: () => void }
  | { kind: "countdown"; label: string; end: string };

export interface Prompt {
  title: string;
  body: string;
  parts: PromptPart[];
}

export type ShowPrompt = (prompt: Prompt | null) => void;

const BROKEN = "This wallet asks for something that the page does not do.";

/** The sentence under a key such as `transact.title`; null where there is none. */
function sentence(key: string): string | null {
  let found: unknown = PROMPT;
  for (const part of key.split(".")) found = (found as Record<string, unknown> | undefined)?.[part];
  return typeof found === "string" ? found : null;
}

function partOf({ type, data, label }: PromptArgs["elements"][number]): PromptPart[] {
  if (type === "qr") return [{ kind: "qr", text: String(data) }];
  const { href, onClick, end, ...rest } = (data ?? {}) as Record<string, unknown>;
  const text = String(rest.label ?? label ?? "");
  if (type === "link") return [{ kind: "link", href: String(href), label: text }];
  if (type === "button") return [{ kind: "button", label: text, onClick: onClick as () => void }];
  if (type === "countdown") return [{ kind: "countdown", label: text, end: String(end) }];
  return [];
}

export class Prompts extends AbstractUserInterface {
  private closing: ((why: Cancelled) => void)[] = [];

  constructor(private readonly show: ShowPrompt) {
    super();
  }

  /** Rejects when the user closes the window; never answers otherwise. */
  closed(): Promise<never> {
    return new Promise((_, reject) => this.closing.push(reject));
  }

  /** The user closed the window. */
  close(): void {
    const closing = this.closing.splice(0);
    this.show(null);
    for (const reject of closing) reject(new Cancelled());
  }

  override prompt(args: PromptArgs): Cancelable<object> {
    this.show({ title: args.title, body: args.body ?? "", parts: args.elements.flatMap(partOf) });
    return cancelable(this.closed(), (why) => {
      this.show(null);
      throw why;
    });
  }

  override translate(key: string, options?: { default: string }): string {
    return sentence(key) ?? options?.default ?? key;
  }

  /** Nobody is asked to choose: chain, wallet and account are known before. */
  override login(): never {
    throw new Error(BROKEN);
  }

  override onAccountCreate(): never {
    throw new Error(BROKEN);
  }

  private ended = async () => {
    this.closing = [];
    this.show(null);
  };

  override onError = this.ended;
  override onLoginComplete = this.ended;
  override onTransactComplete = this.ended;
  override onAccountCreateComplete = this.ended;
  override onLogin = async () => {};
  override onTransact = async () => {};
  override onSign = async () => {};
  override onSignComplete = async () => {};
  override onBroadcast = async () => {};
  override onBroadcastComplete = async () => {};
  override status = () => {};
  override addTranslations = () => {};
}
