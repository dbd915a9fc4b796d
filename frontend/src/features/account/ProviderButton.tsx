import { Button, Stack } from "@mantine/core";
import { useBeginProviderSignIn } from "@/api/accounts";
import { ProblemNotice } from "@/components/ProblemNotice";
import { t } from "@/words";

/** Leads to the identity provider: to sign in, or to connect the account that is signed in. */
export function ProviderButton(props: { provider: string; next: string; isJoining?: boolean }) {
  const { provider, next, isJoining = false } = props;
  const begin = useBeginProviderSignIn();
  const leave = async () => {
    const made = await begin.mutateAsync({ body: { next, join: isJoining } }).catch(() => null);
    if (made) globalThis.location.assign(made.url);
  };
  return (
    <Stack gap="sm">
      <Button variant="default" loading={begin.isPending} onClick={() => void leave()}>
        {isJoining ? t("Connect {provider}", { provider }) : t("Sign in with {provider}", { provider })}
      </Button>
      <ProblemNotice error={begin.error} title={isJoining ? t("Not connected") : t("Not signed in")} />
    </Stack>
  );
}
