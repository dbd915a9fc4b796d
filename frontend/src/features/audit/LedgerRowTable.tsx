import { Text } from "@mantine/core";
import type { LedgerRow } from "@/api/types";
import { Digest } from "@/components/Digest";
import { Moment } from "@/components/Moment";
import { NONE } from "@/components/numbers/format";
import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import { t } from "@/words";

const COLUMNS: Column<LedgerRow>[] = [
  {
    id: "entry",
    label: t("Entry"),
    kind: "text",
    value: ({ description }) => description,
    note: ({ authenticated }) => !authenticated && <Legacy />,
  },
  {
    id: "recorded",
    label: t("Recorded"),
    value: ({ recorded_at }) => recorded_at,
    cell: ({ recorded_at }) => <Moment at={recorded_at} />,
  },
  {
    id: "account",
    label: t("Account"),
    value: ({ account }) => account,
    reason: t("Entries of a local ledger have no signature."),
  },
  {
    id: "testid",
    label: t("Short name of run"),
    value: ({ testid }) => testid,
    cell: ({ testid }) => <code>{testid}</code>,
  },
  { id: "place", label: t("Location"), value: ({ id }) => id },
  {
    id: "digest",
    label: t("Content digest"),
    value: ({ run_digest }) => run_digest ?? NONE,
    cell: ({ run_digest }) => run_digest && <Digest value={run_digest} />,
  },
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
