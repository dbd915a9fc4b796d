import { Anchor, Container, Stack, Text, Title } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useFinishProviderSignIn } from "@/api/accounts";
import { ProblemNotice } from "@/components/ProblemNotice";
import { t } from "@/words";
import { APART } from "./providerPage";

/** Hands on what the provider sent, and opens the page from which somebody went there. */
export function ProviderReturn() {
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
