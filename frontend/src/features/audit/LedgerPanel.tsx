import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ledgerQueries } from "@/api/system";
import { Facts } from "@/components/Facts";
import { Moment } from "@/components/Moment";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { ServerText } from "@/components/ServerText";
import { t } from "@/words";

const KINDS = { local: t("Local hash chain"), antelope: t("Antelope blockchain") };

/** The head of this installation's ledger, and what it proves. */
export function LedgerPanel() {
  const query = useQuery(ledgerQueries.head());
  const { data } = query;
  return (
    <Panel title={t("Ledger of this installation")}>
      <QueryState query={query} height={120} />
      {data && (
        <Stack gap="sm">
          <Facts
            facts={[
              [t("Kind"), KINDS[data.kind]],
              [t("Location"), data.place],
              [t("Entries"), data.entries === null ? t("not counted") : formatCount(data.entries)],
              [t("Head"), data.digest ? <code key="head">{data.digest}</code> : t("empty")],
              [t("Created", {}, "ledger"), data.at ? <Moment key="at" at={data.at} /> : t("empty")],
            ]}
          />
          <Text size="sm">
            <b>{t("Proves")}:</b> <ServerText text={data.proves} />
          </Text>
          <Text size="sm">
            <b>{t("Does not prove")}:</b> <ServerText text={data.proves_not} />
          </Text>
        </Stack>
      )}
    </Panel>
  );
}
