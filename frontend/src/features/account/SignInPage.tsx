import { Anchor, Button, Container, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useHash } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useFinishProviderSignIn, useRecover, useSignIn } from "@/api/accounts";
import { accountQueries } from "@/api/session";
import type { SignedIn } from "@/api/types";
import { Form } from "@/components/Form";
import { bindText } from "@/components/fields";
import { LanguageChoice } from "@/components/LanguageChoice";
import { showDone } from "@/components/notices";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import { isLongEnough, NewPassword } from "./NewPassword";
import { ProviderButton } from "./ProviderButton";
import { APART, isReturn, thisPage } from "./providerPage";
import { WalletSignIn } from "./WalletSignIn";

const RECOVER = "#recover=";

interface Props {
  /** The account whose session ended while it had pages open; null for none. */
  owner: string | null;
  /** Called with the name of the account that has signed in. */
  onDone: (account: string) => void;
}

/** The only page that somebody without an account sees; a recovery link and the identity provider open it too. */
export function SignInPage(props: Props) {
  const [hash, setHash] = useHash({ getInitialValueInEffect: false });
  if (isReturn()) return <ProviderReturn />;
  return (
    <>
      {hash.startsWith(RECOVER) ? (
        <RecoveryForm secret={hash.slice(RECOVER.length)} onDone={() => setHash("")} />
      ) : (
        <SignInForm {...props} />
      )}
      <Container component="footer" size={280} px="md" py="xl">
        <LanguageChoice />
      </Container>
    </>
  );
}

/** Why the session of this browser has ended, as far as the server knows it. */
function endOf(change: SignedIn["ended_by"]): string {
  if (change === "role") return t("Your role was changed, which signed you out.");
  if (change === "removed") return t("You were removed from a project, which signed you out.");
  if (change === "password") return t("Your password was changed, which signed you out.");
  return t("Your session has ended.");
}

function SignInForm({ owner, onDone }: Props) {
  const [name, setName] = useState(owner ?? "");
  const [password, setPassword] = useState("");
  const signIn = useSignIn();
  const ways = useQuery(accountQueries.session()).data;
  const submit = async () => {
    const done = await signIn.mutateAsync({ body: { name: name.trim(), password } }).catch(() => null);
    if (done?.account) onDone(done.account);
  };
  return (
    <Container component="main" size={412} px="md" pt={96}>
      <Form onSubmit={submit}>
        <Stack>
          <Title order={1}>{t("Sign in to PaSSER")}</Title>
          {(owner !== null || ways?.ended_by) && (
            <Text role="status">
              {endOf(ways?.ended_by)}{" "}
              {owner !== null && t("Sign in again to continue where you were; what you typed is kept.")}
            </Text>
          )}
          <TextInput
            label={t("Account name")}
            {...bindText(name, setName)}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
          <PasswordInput
            label={t("Password")}
            {...bindText(password, setPassword)}
            autoComplete="current-password"
            required
          />
          <ProblemNotice error={signIn.error} title={t("Not signed in")} />
          <Button type="submit" loading={signIn.isPending} disabled={name.trim() === "" || password === ""}>
            {t("Sign in")}
          </Button>
          {ways?.provider && (
            <ProviderButton provider={ways.provider} next={thisPage()} isApart={owner !== null} />
          )}
          <Quiet>
            {t(
              "An administrator of this PaSSER adds accounts. Ask one for a recovery link if you have lost your password.",
            )}
          </Quiet>
        </Stack>
      </Form>
      {ways?.has_wallets && <WalletSignIn onDone={onDone} />}
    </Container>
  );
}

/** Hands on what the provider sent, and opens the page from which somebody went there. */
function ProviderReturn() {
  const finish = useFinishProviderSignIn();
  const isSent = useRef(false);
  const given = new URLSearchParams(globalThis.location.search);
  const code = given.get("code");
  const state = given.get("state") ?? "";
  useEffect(() => {
    // A state is valid once, and React may run an effect twice.
    if (!code || isSent.current) return;
    isSent.current = true;
    finish
      .mutateAsync({ body: { code, state } })
      .then(({ next }) => (next === APART ? globalThis.close() : globalThis.location.replace(next)))
      .catch(() => undefined);
  }, [code, state, finish]);
  return (
    <Container component="main" size={380} pt={96}>
      <Stack>
        <Title order={1}>{t("Sign in to PaSSER")}</Title>
        {/* What the provider says in the address is not shown: anybody can write an address. */}
        {!code && <Text role="alert">{t("The identity provider did not sign you in. Try again.")}</Text>}
        <ProblemNotice error={finish.error} title={t("Not signed in")} />
        {code && finish.error == null && (
          <Text role="status">
            {finish.data?.next === APART
              ? t("You are signed in. Continue in the window from which you came; this one can be closed.")
              : t("Signing in…")}
          </Text>
        )}
        {(!code || finish.error != null) && <Anchor href="/">{t("Sign in")}</Anchor>}
      </Stack>
    </Container>
  );
}

/** Choosing a new password by a recovery link. */
function RecoveryForm({ secret, onDone }: { secret: string; onDone: () => void }) {
  const [password, setPassword] = useState("");
  const recover = useRecover();
  const submit = async () => {
    const failed = await recover.mutateAsync({ body: { secret, password } }).then(
      () => false,
      () => true,
    );
    if (failed) return;
    showDone(t("Password changed. Sign in with the new one."));
    onDone();
  };
  return (
    <Container component="main" size={380} pt={96}>
      <Form onSubmit={submit}>
        <Stack>
          <Title order={1}>{t("Choose a new password")}</Title>
          <NewPassword
            label={t("New password, 12 characters or more")}
            value={password}
            onChange={setPassword}
          />
          <ProblemNotice error={recover.error} title={t("Password not changed")} />
          <Button type="submit" loading={recover.isPending} disabled={!isLongEnough(password)}>
            {t("Change password")}
          </Button>
          <Button variant="subtle" onClick={onDone}>
            {t("Sign in")}
          </Button>
        </Stack>
      </Form>
    </Container>
  );
}
