/** This and `proof.ts` alone know WharfKit; they are loaded when a wallet is opened, never before. */
import {
  BrowserLocalStorage,
  Chains,
  type LoginResult,
  PrivateKey,
  Session,
  SessionKit,
  Transaction,
} from "@wharfkit/session";
import { WalletPluginAnchor } from "@wharfkit/wallet-plugin-anchor";
import { t } from "@/words";
import { Prompts, type ShowPrompt } from "./prompts";
import { Cancelled, Refusal } from "./refusal";
import { plain, type Review, reviewed } from "./review";
import type { AccountKey, OpenChain, Prepared, SignedIn } from "./types";

const APP = "passer";
/** The server pushes what was signed; a wallet that adds an action signs something else. */
const ONLY_SIGN = { broadcast: false, allowModify: false, transactPlugins: [] };

/** Whether a chain is one that others run too. */
export const isPublicChain = (id: string): boolean =>
  Object.values(Chains).some((known) => String(known.id) === id);

/** Sign in with Anchor; Cancelled by the user, or an Error that says why not. */
export async function anchorLogin(kit: SessionKit, prompts: Prompts, chain: string): Promise<LoginResult> {
  const login = kit.login({ walletPlugin: "anchor", chain });
  let isOver = false;
  // The library goes on waiting when its window is closed: an answer that comes later signs nobody in.
  login.then(({ session }) => (isOver ? kit.logout(session) : undefined)).catch(() => undefined);
  try {
    return await Promise.race([login, prompts.closed()]);
  } catch (error) {
    isOver = true;
    throw error instanceof Cancelled || isDeclined(error) ? new Cancelled() : new Error(saidBy(error));
  }
}

/** One chain, and whoever is signed in to it. */
export class Wallet {
  private readonly kit: SessionKit;
  private readonly prompts: Prompts;
  private session: Session | null = null;
  private by: SignedIn["by"] = "anchor";

  constructor(
    readonly chain: OpenChain,
    show: ShowPrompt,
  ) {
    this.prompts = new Prompts(show);
    this.kit = new SessionKit(
      {
        appName: APP,
        chains: [this.definition],
        ui: this.prompts,
        walletPlugins: [new WalletPluginAnchor({ buoyUrl: chain.relay })],
      },
      { abis: [this.abi], storage: new BrowserLocalStorage(APP), ...ONLY_SIGN },
    );
  }

  /** Whether the chain is one that others run too. */
  get isPublic(): boolean {
    return isPublicChain(this.chain.id);
  }

  get signedIn(): SignedIn | null {
    if (!this.session) return null;
    const { actor, permission } = this.session;
    return { account: String(actor), permission: String(permission), by: this.by };
  }

  /** The window of the wallet is closed by the user. */
  close(): void {
    this.prompts.close();
  }

  /** Whoever was signed in with Anchor before the page was reloaded. */
  async restore(): Promise<void> {
    // What is kept may be of another chain, or of another version of the library: then nobody is signed in.
    const kept = await this.kit.restore().catch(() => undefined);
    if (kept && String(kept.chain.id) === this.chain.id) this.session = kept;
  }

  async signInWithAnchor(): Promise<void> {
    const { session } = await anchorLogin(this.kit, this.prompts, this.chain.id);
    this.session = session;
    this.by = "anchor";
  }

  /** For a test chain. The key stays in memory: this session is never handed to the library's storage. */
  async signInWithKey({ account, permission, key }: AccountKey) {
    const { WalletPluginPrivateKey } = await import("@wharfkit/wallet-plugin-privatekey");
    this.session = new Session(
      {
        chain: this.definition,
        permissionLevel: `${account}@${permission}`,
        walletPlugin: new WalletPluginPrivateKey(PrivateKey.from(key)),
      },
      { abis: [this.abi], ui: this.prompts, ...ONLY_SIGN },
    );
    this.by = "key";
  }

  async signOut(): Promise<void> {
    const { session, by } = this;
    this.session = null;
    if (session && by === "anchor") await this.kit.logout(session);
  }

  /** What the transaction says; Refusal for what must not be signed. */
  review(prepared: Prepared): Review {
    if (!this.signedIn) throw new Cancelled();
    return reviewed(prepared, this.chain, this.signedIn);
  }

  /** The signatures over exactly these bytes; Refusal, or Cancelled by the user. */
  async sign(prepared: Prepared): Promise<string[]> {
    if (!this.session) throw new Cancelled();
    const review = this.review(prepared);
    const { resolved, signatures } = await this.signed(this.session, prepared);
    if (!resolved || String(Transaction.from(resolved.transaction).id) !== review.id) {
      throw new Refusal("changed_by_wallet");
    }
    if (signatures.length === 0) throw new Refusal("no_signature");
    return signatures.map(String);
  }

  private async signed(session: Session, prepared: Prepared) {
    try {
      const signing = session.transact({ transaction: plain(prepared) }, ONLY_SIGN);
      return await Promise.race([signing, this.prompts.closed()]);
    } catch (error) {
      throw whyNot(error);
    }
  }

  private get definition() {
    return { id: this.chain.id, url: this.chain.urls[0] ?? globalThis.location.origin };
  }

  private get abi() {
    return { account: this.chain.contract, abi: this.chain.abi };
  }
}

/** What the library throws has one class for everything: what happened stands in its sentence. */
function saidBy(error: unknown): string {
  const said = (error instanceof Error ? error.message : String(error)).replace(/^(Error: )+/, "");
  return /[.!?]$/.test(said) ? said : `${said}.`;
}

const isDeclined = (error: unknown) => saidBy(error).includes(t("Declined in Anchor."));

function whyNot(error: unknown): Error {
  if (error instanceof Cancelled || isDeclined(error)) return new Cancelled();
  const said = saidBy(error);
  return said.includes("modified the transaction")
    ? new Refusal("changed_by_wallet")
    : new Refusal("wallet_failed", said);
}
