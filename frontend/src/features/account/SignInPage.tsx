import { Button, Container, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useHash } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSignIn } from "@/api/accounts";
import { accountQueries } from "@/api/session";
import { Form } from "@/components/Form";
import { bindText } from "@/components/fields";
import { LanguageChoice } from "@/components/LanguageChoice";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import { ProviderButton } from "./ProviderButton";
import { ProviderReturn } from "./ProviderReturn";
import { isReturn, thisPage } from "./providerPage";
import { RecoveryForm } from "./RecoveryForm";
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
          {owner !== null && (
            <Text role="status">
              {t("Your session has ended. Sign in again to continue where you were; what you typed is kept.")}
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
