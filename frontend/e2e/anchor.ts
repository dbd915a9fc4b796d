import { deflateRawSync, inflateRawSync } from "node:zlib";
import { SealedMessage, unsealMessage } from "@wharfkit/sealed-messages";
import {
  ABI,
  PermissionLevel,
  PrivateKey,
  PublicKey,
  type ResolvedCallback,
  Serializer,
  SigningRequest,
} from "@wharfkit/session";
import type { Relay } from "./relay";

const zlib = { deflateRaw: deflateRawSync, inflateRaw: inflateRawSync };
const CHANNEL = "stand-in-wallet-channel";

/** A stand-in for Anchor: it reads signing requests, signs them with a researcher's key, and answers over the relay. */
export class Anchor {
  private readonly account: PrivateKey;
  /** Between the page and this wallet alone. */
  private readonly own = PrivateKey.generate("K1");

  constructor(
    private readonly relay: Relay,
    private readonly chain: { chainId: string; contract: string; abi: object },
    private readonly signer: { account: string; key: string },
  ) {
    this.account = PrivateKey.from(signer.key);
  }

  /** Answer the request to sign in that the page shows as a code and a link. */
  async signIn(link: string): Promise<void> {
    const callback = await this.signed(link);
    const answer = {
      ...callback.payload,
      link_ch: `${this.relay.address}/${CHANNEL}`,
      link_key: String(this.own.toPublic()),
      link_name: "a stand-in",
    };
    await this.post(callback.url, answer);
  }

  /** The next request that the page seals for this wallet: what its answer would be. */
  async asked(): Promise<ResolvedCallback> {
    const sealed = Serializer.decode({ data: await this.relay.received(CHANNEL), type: SealedMessage });
    const { ciphertext, from, nonce } = sealed;
    return this.signed(unsealMessage(ciphertext, this.own, PublicKey.from(from), nonce));
  }

  /** Agree to it. */
  async agree({ url, payload }: ResolvedCallback): Promise<void> {
    await this.post(url, payload);
  }

  /** Decline it. */
  async decline({ url }: ResolvedCallback): Promise<void> {
    await this.post(url, { rejected: "Declined" });
  }

  private async signed(link: string): Promise<ResolvedCallback> {
    const abiProvider = { getAbi: async () => ABI.from(this.chain.abi) };
    const request = SigningRequest.from(link, { zlib, abiProvider });
    const level = PermissionLevel.from(`${this.signer.account}@active`);
    const resolved = await request.resolve(await request.fetchAbis(), level, { chainId: this.chain.chainId });
    const signature = this.account.signDigest(resolved.signingDigest);
    const callback = resolved.getCallback([signature]);
    if (!callback) throw new Error("The request names no way back.");
    return callback;
  }

  private async post(url: string, answer: object): Promise<void> {
    const reply = await fetch(url, { method: "POST", body: JSON.stringify(answer) });
    if (!reply.ok) throw new Error(`The relay answered with ${reply.status}.`);
  }
}
