import { Button, Group, Text } from "@mantine/core";
import { words } from "@/words";
import type { Wallet } from "./kit";
import { refresh } from "./open";
import type { SignedIn } from "./types";

const label = words.wallet;

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
      <Text>{label.signedIn(account, permission, label.by[by])}</Text>
      <Button
        variant="default"
        size="xs"
        disabled={isBusy}
        onClick={async () => {
          await wallet.signOut();
          refresh();
        }}
      >
        {label.signOut}
      </Button>
    </Group>
  );
}
