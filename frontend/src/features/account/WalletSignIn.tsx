import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import { useBeginWalletSignIn, useFinishWalletSignIn } from "@/api/accounts";
import { Problem } from "@/api/problem";
import { ProblemNotice } from "@/components/ProblemNotice";
import type { Prompt } from "@/wallet/prompts";
import type { Proof, Prover } from "@/wallet/proof";
import { SignIn } from "@/wallet/SignIn";
import { WalletPrompt } from "@/wallet/WalletPrompt";
import { t } from "@/words";

interface Props {
  /** Whether the account that is signed in takes the key, instead of signing in by it. */
  isJoining?: boolean;
  /** The server has taken the proof: called with the name of the account. */
  onDone: (account: string) => void;
}

/** Signs in with the key of a wallet, or connects it to the account that is signed in. */
export function WalletSignIn({ isJoining = false, onDone }: Props) {
  const begin = useBeginWalletSignIn();
  const finish = useFinishWalletSignIn();
  const [prover, setProver] = useState<Prover | null>(null);
  const [prompt, setPrompt] = useState<Prompt | null>(null);
  const [missing, setMissing] = useState<Problem | null>(null);
  const open = async () => {
    finish.reset();
    const asked = await begin.mutateAsync({ body: { join: isJoining } }).catch(() => null);
    if (!asked) return;
    const proving = await import("@/wallet/proof").catch(() => null);
    setMissing(proving ? null : notLoaded());
    if (proving) setProver(new proving.Prover(asked, setPrompt));
  };
  const send = async (proof: Proof) => {
    // A challenge is valid once: whatever the server says, the next attempt begins with another.
    setProver(null);
    const done = await finish.mutateAsync({ body: proof }).catch(() => null);
    if (done) onDone(done.account);
  };
  const error = missing ?? begin.error ?? finish.error;
  return (
    <Stack gap="sm">
      {prover ? (
        <SignIn
          chain={{ urls: [...prover.asked.urls], relay: prover.relay }}
          isPublic={prover.isPublic}
          withAnchor={() => prover.withAnchor().then(send)}
          withKey={(key) => prover.withKey(key).then(send)}
        />
      ) : (
        <Button variant="default" loading={begin.isPending || finish.isPending} onClick={() => void open()}>
          {isJoining ? t("Connect a wallet") : t("Sign in with a wallet")}
        </Button>
      )}
      <ProblemNotice error={error} title={isJoining ? t("Not connected") : t("Not signed in")} />
      <WalletPrompt prompt={prompt} onCancel={() => prover?.close()} />
    </Stack>
  );
}

const notLoaded = () =>
  new Problem(
    0,
    t("Wallet not available"),
    t("The wallet code could not be loaded. Reload the page, then retry."),
  );
