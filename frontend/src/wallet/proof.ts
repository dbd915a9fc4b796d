/** Proves the key of a wallet by an identity request (EEP-7) whose scope is the challenge of the server. */
import { Checksum256, IdentityProof, PrivateKey, SessionKit, TimePointSec } from "@wharfkit/session";
import { WalletPluginAnchor } from "@wharfkit/wallet-plugin-anchor";
import { anchorLogin, isPublicChain } from "./kit";
import { Prompts, type ShowPrompt } from "./prompts";
import { type AccountKey, type Challenge, RELAY } from "./types";

const LIFETIME_MS = 600_000;
/** The proof is asked for once: no session with the wallet outlives it. */
const KEEPS_NOTHING = { read: async () => null, write: async () => {}, remove: async () => {} };

/** As the server takes it. */
export interface Proof {
  expiration: string;
  signer: { actor: string; permission: string };
  signature: string;
}

export class Prover {
  readonly isPublic: boolean;
  readonly relay: string;
  private readonly prompts: Prompts;

  constructor(
    readonly asked: Challenge,
    show: ShowPrompt,
  ) {
    this.isPublic = isPublicChain(asked.chain_id);
    this.relay = asked.relay ?? RELAY;
    this.prompts = new Prompts(show);
  }

  /** The window of the wallet is closed by the user. */
  close(): void {
    this.prompts.close();
  }

  async withAnchor(): Promise<Proof> {
    const { chain_id, challenge, urls } = this.asked;
    const kit = new SessionKit(
      {
        appName: challenge,
        chains: [{ id: chain_id, url: urls[0] ?? globalThis.location.origin }],
        ui: this.prompts,
        walletPlugins: [new WalletPluginAnchor({ buoyUrl: this.relay })],
      },
      { storage: KEEPS_NOTHING },
    );
    const { response } = await anchorLogin(kit, this.prompts, chain_id);
    if (!response.identityProof) throw new Error("The wallet sent no proof.");
    return plainProof(response.identityProof);
  }

  /** For a test chain; the key is used once and kept nowhere. */
  async withKey({ account, permission, key }: AccountKey): Promise<Proof> {
    const { chain_id, challenge } = this.asked;
    const pair = PrivateKey.from(key);
    const unsigned = {
      chainId: chain_id,
      scope: challenge,
      expiration: TimePointSec.fromMilliseconds(Date.now() + LIFETIME_MS),
      signer: { actor: account, permission },
    };
    // What is signed does not depend on the signature, but the library makes it from whole proofs only.
    const none = PrivateKey.generate("K1").signDigest(Checksum256.from(chain_id));
    const { transaction } = IdentityProof.from({ ...unsigned, signature: none });
    const signature = pair.signDigest(transaction.signingDigest(Checksum256.from(chain_id)));
    return plainProof(IdentityProof.from({ ...unsigned, signature }));
  }
}

function plainProof({ expiration, signer, signature }: IdentityProof): Proof {
  return {
    expiration: String(expiration),
    signer: { actor: String(signer.actor), permission: String(signer.permission) },
    signature: String(signature),
  };
}
