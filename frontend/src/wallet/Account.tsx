import { Button, Group, Text } from "@mantine/core";
import { t } from "@/words";
import type { Wallet } from "./kit";
import { refresh } from "./open";
import type { SignedIn } from "./types";

const BY = { anchor: t("with Anchor"), key: t("with a key kept only until this page is closed") };

interface Props {
  wallet: Wallet;
  signedIn: SignedIn;
  /** Something is being signed: nobody leaves now. */
  isBusy: boolean;
}

/** Who is signed in, and the way out. */
export function Account({ wallet, signedIn, isBusy }: Props) {
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
