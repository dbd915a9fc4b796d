import { Stack, Text } from "@mantine/core";
import { api } from "@/api/client";
import type { WalletChain } from "@/api/types";
import { Digest } from "@/components/Digest";
import { Facts } from "@/components/Facts";
import { Note } from "@/components/Note";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Said } from "@/components/Said";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { SignEntries } from "./SignEntries";
import { openChain } from "./types";

const label = words.wallet;

/** Whether entries are signed here, for which chain, and by whom. */
export function WalletPanel() {
  const { data, error, isPending, refetch } = api.useQuery("get", "/api/v1/ledger/wallet");
  return (
    <Panel title={label.title}>
      <Text maw="44rem">{label.lead}</Text>
      {isPending && <Waiting height={80} />}
      {error && <ProblemNotice error={error} onRetry={() => refetch()} />}
      {data && <Inside chain={data} />}
      <Text size="sm" c="var(--quiet)" maw="44rem">
        <b>{label.licences}:</b> {label.licencesText}
      </Text>
    </Panel>
  );
}

function Inside({ chain }: { chain: WalletChain }) {
  const open = openChain(chain);
  if (chain.signs_itself) return <Note>{label.signsItself}</Note>;
  if (!open)
    return (
      <Note title={label.away}>
        {chain.reason ? <Said text={chain.reason} wordings={{}} /> : label.noContract}
      </Note>
    );
  return (
    <Stack gap="sm">
      <Facts
        facts={[
          [label.chain, <Digest key="chain" value={open.id} />],
          [label.contract, open.contract],
          [label.nodes, open.urls.join(", ")],
          [label.waiting, formatCount(chain.waiting)],
        ]}
      />
      {chain.waiting === 0 && <Text>{label.nothingWaits}</Text>}
      <SignEntries chain={open} waiting={chain.waiting} always />
    </Stack>
  );
}
