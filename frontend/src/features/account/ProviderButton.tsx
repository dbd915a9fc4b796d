import { Button, Stack } from "@mantine/core";
import { useBeginProviderSignIn } from "@/api/accounts";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import { APART } from "./providerPage";

interface Props {
  provider: string;
  /** The page to open afterwards. */
  next: string;
  isJoining?: boolean;
  /** Opens the provider in a window of its own: this one has pages with what was typed into them. */
  isApart?: boolean;
}

/** Leads to the identity provider: to sign in, or to connect the account that is signed in. */
export function ProviderButton({ provider, next, isJoining = false, isApart = false }: Props) {
  const begin = useBeginProviderSignIn();
  const leave = async () => {
    // Opened before anything is awaited: browsers block windows that no click opens. A blocked one is null.
    const apart = isApart ? globalThis.open("about:blank") : null;
    const made = await begin
      .mutateAsync({ body: { next: apart ? APART : next, join: isJoining } })
      .catch(() => null);
    if (made) (apart ?? globalThis).location.assign(made.url);
    else apart?.close();
  };
  return (
    <Stack gap="sm">
      <Button variant="default" loading={begin.isPending} onClick={() => void leave()}>
        {isJoining ? t("Connect {provider}", { provider }) : t("Sign in with {provider}", { provider })}
      </Button>
      {isApart && (
        <Quiet>
          {t("Signing in to {provider} opens another window, so that what you typed here is kept.", {
            provider,
          })}
        </Quiet>
      )}
      <ProblemNotice error={begin.error} title={isJoining ? t("Not connected") : t("Not signed in")} />
    </Stack>
  );
}
