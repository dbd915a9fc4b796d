import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ledgerQueries } from "@/api/system";
import type { WalletChain } from "@/api/types";
import { Digest } from "@/components/Digest";
import { Facts } from "@/components/Facts";
import { ForRole } from "@/components/ForRole";
import { Note } from "@/components/Note";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { Quiet } from "@/components/Quiet";
import { ServerText } from "@/components/ServerText";
import { t } from "@/words";
import { SignEntries } from "./SignEntries";
import { openChain } from "./types";

/** Whether entries are signed here, for which chain, and by whom. */
export function WalletPanel() {
  const query = useQuery(ledgerQueries.wallet());
  return (
    <Panel title={t("Wallet")}>
      <Text maw="44rem">
        {t(
          "Entries of finished runs are recorded on the blockchain under your account. Your wallet signs them and keeps your key.",
        )}
      </Text>
      <QueryState query={query} height={80} />
      {query.data && <Inside chain={query.data} />}
      <Quiet maw="44rem">
        <b>{t("Licences")}:</b>{" "}
        {t(
          "The wallet library is free to use and change, but its licence says that it is not intended for military facilities. docs/licences.md lists all components with this clause.",
        )}
      </Quiet>
    </Panel>
  );
}

function Inside({ chain }: { chain: WalletChain }) {
  const open = openChain(chain);
  if (chain.signs_itself)
    return <Note>{t("The server signs entries with its own key. No wallet is needed.")}</Note>;
  if (!open)
    return (
      <Note title={t("Signing not available")}>
        {chain.reason ? (
          <ServerText text={chain.reason} />
        ) : (
          t(
            "The blockchain is reachable, but the configured account has no contract. Check PASSER_CHAIN_CONTRACT.",
          )
        )}
      </Note>
    );
  return (
    <Stack gap="sm">
      <Facts
        facts={[
          [t("Blockchain"), <Digest key="chain" value={open.id} />],
          [t("Contract"), open.contract],
          [t("Nodes"), open.urls.join(", ")],
          [t("Waiting entries"), formatCount(chain.waiting)],
        ]}
      />
      {chain.waiting === 0 && <Text>{t("No entries are waiting for a signature.")}</Text>}
      <ForRole>
        <SignEntries chain={open} waiting={chain.waiting} always />
      </ForRole>
    </Stack>
  );
}
