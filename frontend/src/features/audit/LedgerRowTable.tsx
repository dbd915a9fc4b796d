import { Text } from "@mantine/core";
import type { LedgerRow } from "@/api/types";
import { Digest } from "@/components/Digest";
import { NONE } from "@/components/numbers/format";
import { type Column, DataTable, momentColumn, plainColumn, textColumn } from "@/components/table";
import { t } from "@/words";

const COLUMNS: Column<LedgerRow>[] = [
  textColumn("entry", t("Entry"), ({ description }) => description, {
    note: ({ authenticated }) => !authenticated && <Legacy />,
  }),
  momentColumn("recorded", t("Recorded"), ({ recorded_at }) => recorded_at),
  plainColumn("account", t("Account"), ({ account }) => account, {
    reason: t("Entries of a local ledger have no signature."),
  }),
  plainColumn("testid", t("Short name of run"), ({ testid }) => testid, {
    cell: ({ testid }) => <code>{testid}</code>,
  }),
  plainColumn("place", t("Location"), ({ id }) => id),
  plainColumn("digest", t("Content digest"), ({ run_digest }) => run_digest ?? NONE, {
    cell: ({ run_digest }) => run_digest && <Digest value={run_digest} />,
  }),
];

/** A row of the published contract, which proves next to nothing. */
function Legacy() {
  return (
    <Text
      size="xs"
      c="var(--warn-text)"
      title={t(
        "Row of the published contract, which does not check the signing account and lets anyone erase its tables.",
      )}
    >
      {t("legacy, not authenticated")}
    </Text>
  );
}

/** Rows as they stand in the ledger. */
export function LedgerRowTable({ rows }: { rows: LedgerRow[] }) {
  return (
    <DataTable
      name="ledger-rows"
      label={t("Ledger entries")}
      columns={COLUMNS}
      rows={rows}
      keyOf={({ action, id }) => `${action} ${id}`}
      isShort
    />
  );
}
