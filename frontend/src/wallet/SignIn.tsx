import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Note } from "@/components/Note";
import { t } from "@/words";
import { KeyForm, type WithKey } from "./KeyForm";
import { Cancelled } from "./refusal";
import { isTestChain } from "./test-chain";
import classes from "./wallet.module.css";

const ANCHOR = "https://greymass.com/anchor/download";

interface Props {
  chain: { urls: string[]; relay: string };
  /** Whether the chain is one that others run too. */
  isPublic: boolean;
  /** Rejects with Cancelled, or with an Error that says why not. */
  withAnchor: () => Promise<void>;
  withKey: WithKey;
}

/** Who signs: an account of Anchor's, or one of a test chain with its key. */
export function SignIn({ chain, isPublic, withAnchor, withKey }: Props) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const anchor = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await withAnchor();
    } catch (error) {
      setProblem(
        error instanceof Cancelled
          ? t("Anchor was closed or declined the sign-in. Try again.")
          : t("The wallet returned an unusable reply: {reason}", {
              reason: error instanceof Error ? error.message : "",
            }),
      );
    } finally {
      setBusy(false);
    }
  };
  const isTest = isTestChain(chain.urls, globalThis.location.hostname) && !isPublic;
  return (
    <Stack gap="sm">
      {problem && (
        <Note tone="warn" title={t("Not signed in")} role="alert">
          {problem}
        </Note>
      )}
      <Text size="sm" maw="44rem">
        {t(
          "Anchor is a wallet for desktop and phone. It shows each transaction and keeps your key. Its replies pass through this relay, which sees your account and signatures but never a key:",
        )}{" "}
        <code className={classes.break}>{chain.relay}</code>
      </Text>
      <Group gap="sm">
        <Button onClick={anchor} disabled={busy}>
          {t("Sign in with Anchor")}
        </Button>
        <Anchor href={ANCHOR} target="_blank" rel="noreferrer" size="sm" underline="always">
          {t("Get Anchor")}
        </Anchor>
      </Group>
      {isTest && <KeyForm withKey={withKey} />}
    </Stack>
  );
}
