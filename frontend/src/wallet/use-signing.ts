import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { client } from "@/api/client";
import { markStale } from "@/api/freshness";
import type { Wallet } from "./kit";
import { Refusal } from "./refusal";
import { type Phase, type SigningCallbacks, signAll } from "./signing";
import type { Prepared, SignedIn } from "./types";

/** What the server does in it, and the wallet. */
function handsOf(wallet: Wallet, { account, permission }: SignedIn, run: string | undefined) {
  return {
    async prepare() {
      const body = { account, permission, run_id: run ?? null };
      const { data } = await client.POST("/api/v1/ledger/transactions", { body });
      if (!data) throw new Refusal("not_read");
      return data;
    },
    look: (prepared: Prepared) => wallet.review(prepared),
    sign: (prepared: Prepared) => wallet.sign(prepared),
    async send({ id }: Prepared, signatures: string[]) {
      const params = { path: { key: id } };
      const body = { account, signatures };
      const { data } = await client.POST("/api/v1/ledger/transactions/{key}/signatures", { params, body });
      return data?.posted ?? 0;
    },
    // Where it cannot be dropped it expires: that is no reason to say anything else than what happened.
    drop: ({ id }: Prepared) =>
      client
        .DELETE("/api/v1/ledger/transactions/{key}", { params: { path: { key: id } } })
        .catch(() => undefined),
  };
}

export interface Signing {
  phase: Phase | null;
  isBusy: boolean;
  isStopping: boolean;
  start: (wallet: Wallet, signer: SignedIn) => Promise<void>;
  /** What the user says to what is shown. */
  answer: (agrees: boolean) => void;
  stop: () => void;
}

/** Signs what waits, of one run or of all. */
export function useSigning(run: string | undefined): Signing {
  const cache = useQueryClient();
  const [phase, setPhase] = useState<Phase | null>(null);
  const [isStopping, setStopping] = useState(false);
  const stopped = useRef(false);
  const asked = useRef<((agrees: boolean) => void) | null>(null);
  const answer = (agrees: boolean) => {
    asked.current?.(agrees);
    asked.current = null;
  };
  const stop = () => {
    stopped.current = true;
    setStopping(true);
  };
  // Who leaves the page before agreeing does not sign; what is under way ends after its transaction.
  useEffect(
    () => () => {
      stopped.current = true;
      asked.current?.(false);
    },
    [],
  );
  const start = async (wallet: Wallet, signer: SignedIn) => {
    stopped.current = false;
    setStopping(false);
    const hands: SigningCallbacks = {
      ...handsOf(wallet, signer, run),
      agrees: () =>
        stopped.current
          ? Promise.resolve(false)
          : new Promise<boolean>((resolve) => (asked.current = resolve)),
      isStopped: () => stopped.current,
      tell: setPhase,
    };
    setPhase(await signAll(hands));
    await markStale(cache, ["ledger"]);
  };
  const isBusy = phase !== null && ["preparing", "review", "signing", "sending"].includes(phase.kind);
  return { phase, isBusy, isStopping, start, answer, stop };
}
