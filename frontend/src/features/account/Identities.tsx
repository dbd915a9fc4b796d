import { Box, Button, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useDeleteIdentity } from "@/api/accounts";
import { markStale } from "@/api/freshness";
import { accountQueries } from "@/api/session";
import type { Identity } from "@/api/types";
import { actColumn, type Column, DataTable, momentColumn, plainColumn } from "@/components/table";
import { t } from "@/words";
import { ProviderButton } from "./ProviderButton";
import { WalletSignIn } from "./WalletSignIn";

const COLUMNS: Column<Identity>[] = [
  plainColumn("issuer", t("Sign-in"), ({ issuer }) => issuer),
  plainColumn("subject", t("Identifier"), ({ subject }) => subject, {
    // Keys are one word of 57 letters.
    cell: ({ subject }) => <span style={{ overflowWrap: "anywhere" }}>{subject}</span>,
  }),
  momentColumn("added", t("Connected"), ({ added_at }) => added_at),
  actColumn("remove", t("Remove"), ({ id }) => <Remove id={id} />),
];

/** What one's account signs in with beside a password. */
export function Identities({ provider, hasWallets }: { provider: string | null; hasWallets: boolean }) {
  const cache = useQueryClient();
  const { data } = useQuery(accountQueries.identities());
  const connected = data?.items ?? [];
  return (
    <Stack align="flex-start">
      <Text>{t("You can also sign in to this account without its password.")}</Text>
      {connected.length > 0 && (
        <Box w="100%">
          <DataTable
            name="identities"
            label={t("Connected sign-ins")}
            columns={COLUMNS}
            rows={[...connected]}
            keyOf={({ id }) => id}
            isShort
          />
        </Box>
      )}
      {provider && <ProviderButton provider={provider} next="/account" isJoining />}
      {hasWallets && <WalletSignIn isJoining onDone={() => void markStale(cache, ["accounts"])} />}
    </Stack>
  );
}

function Remove({ id }: { id: string }) {
  const remove = useDeleteIdentity();
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={remove.isPending}
      onClick={() => remove.mutate({ params: { path: { identity_id: id } } })}
    >
      {t("Remove")}
    </Button>
  );
}
