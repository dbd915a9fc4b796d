import { Button, Group, Stack, Text } from "@mantine/core";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { needed } from "@/api/chunks";
import { ProblemNotice } from "@/components/ProblemNotice";
import { t } from "@/words";
import type { Wallet } from "./kit";
import { openWallet, refresh, useWallet } from "./open";
import { SignIn } from "./SignIn";
import { SigningProgress } from "./SigningProgress";
import { StopButton } from "./StopButton";
import type { OpenChain, SignedIn } from "./types";
import { useSigning } from "./use-signing";

const WalletPrompt = lazy(
  needed(() => import("./WalletPrompt").then((found) => ({ default: found.WalletPrompt }))),
);

interface Props {
  chain: OpenChain;
  /** Entries that wait. */
  waiting: number;
  /** Only those of this run. */
  run?: string;
  /** Whether the wallet can also be opened where nothing waits. */
  always?: boolean;
}

/** One button that leads through it: open the wallet, sign in, read, sign. */
export function SignEntries({ chain, waiting, run, always = false }: Props) {
  const { wallet, signedIn, prompt } = useWallet();
  const signing = useSigning(run);
  const [isOpening, setOpening] = useState(false);
  const [error, setError] = useState<unknown>(null);
  // The user wants to sign; the wallet may have to be opened and signed in to before.
  const [wants, setWants] = useState(false);
  const started = useRef(signing.start);
  started.current = signing.start;
  useEffect(() => {
    if (!wants || !wallet || !signedIn) return;
    setWants(false);
    void started.current(wallet, signedIn);
  }, [wants, wallet, signedIn]);

  const open = async (thenSign: boolean) => {
    setOpening(true);
    setError(null);
    try {
      await openWallet(chain);
      setWants(thenSign);
    } catch (problem) {
      setError(problem);
    } finally {
      setOpening(false);
    }
  };
  return (
    <Stack gap="sm">
      <ProblemNotice error={error} />
      {wallet && signedIn && <Account wallet={wallet} signedIn={signedIn} isBusy={signing.isBusy} />}
      {!signing.isBusy && (
        <Group gap="xs">
          {waiting > 0 && (
            <Button loading={isOpening} onClick={() => open(true)}>
              {t("Sign {count, plural, one {# entry} other {# entries}}", { count: waiting })}
            </Button>
          )}
          {always && !wallet && (
            <Button variant="default" loading={isOpening} onClick={() => open(false)}>
              {t("Open wallet")}
            </Button>
          )}
        </Group>
      )}
      {wallet && !signedIn && (wants || always) && (
        <>
          <Text>{t("Not signed in.")}</Text>
          <SignIn
            chain={chain}
            isPublic={wallet.isPublic}
            withAnchor={() => wallet.signInWithAnchor().then(refresh)}
            withKey={(given) => wallet.signInWithKey(given).then(refresh)}
          />
        </>
      )}
      <SigningProgress signing={signing} />
      {wallet && (
        <Suspense fallback={null}>
          <WalletPrompt prompt={prompt} onCancel={() => wallet.close()}>
            <StopButton signing={signing} />
          </WalletPrompt>
        </Suspense>
      )}
    </Stack>
  );
}

const BY = { anchor: t("with Anchor"), key: t("with a key kept only until this page is closed") };

interface AccountProps {
  wallet: Wallet;
  signedIn: SignedIn;
  /** Something is being signed: nobody leaves now. */
  isBusy: boolean;
}

/** Who is signed in, and the way out. */
function Account({ wallet, signedIn, isBusy }: AccountProps) {
  const { account, permission, by } = signedIn;
  return (
    <Group gap="sm">
      <Text>{t("Signed in as {account}@{permission}, {by}.", { account, permission, by: BY[by] })}</Text>
      <Button
        variant="default"
        size="xs"
        disabled={isBusy}
        onClick={async () => {
          await wallet.signOut();
          refresh();
        }}
      >
        {t("Sign out")}
      </Button>
    </Group>
  );
}
