import { Stack, Text } from "@mantine/core";
import { api } from "@/api/client";
import { Facts } from "@/components/Facts";
import { Moment } from "@/components/Moment";
import { Note } from "@/components/Note";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Said } from "@/components/Said";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";

const label = words.audit;

/** Where this installation's ledger stands, and what that is worth. */
export function LedgerPanel() {
  const { data, error, isPending, refetch } = api.useQuery("get", "/api/v1/ledger/head");
  return (
    <Panel title={label.ledger}>
      {isPending && <Waiting height={120} />}
      {error && <ProblemNotice error={error} onRetry={() => refetch()} />}
      {data && (
        <Stack gap="sm">
          <Facts
            facts={[
              [label.ledgerKind, label.kinds[data.kind]],
              [label.ledgerPlace, data.place],
              [label.ledgerEntries, data.entries === null ? label.uncounted : formatCount(data.entries)],
              [label.ledgerHead, data.digest ? <code key="head">{data.digest}</code> : label.empty],
              [label.ledgerAt, data.at ? <Moment key="at" at={data.at} /> : label.empty],
            ]}
          />
          <Text size="sm">
            <b>{label.proves}:</b> <Said text={data.proves} wordings={{}} />
          </Text>
          <Text size="sm">
            <b>{label.provesNot}:</b> <Said text={data.proves_not} wordings={{}} />
          </Text>
          {data.kind === "local" && <Note tone="warn">{label.oneOperator}</Note>}
        </Stack>
      )}
    </Panel>
  );
}
