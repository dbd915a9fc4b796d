import { Text } from "@mantine/core";
import type { LedgerRow } from "@/api/types";
import { Digest } from "@/components/Digest";
import { Moment } from "@/components/Moment";
import { NONE } from "@/components/numbers/format";
import { cell, Sheet } from "@/components/Sheet";
import { words } from "@/words";

const label = words.audit;

/** Rows as they stand in the ledger; those of the published contract are marked, because they prove next to nothing. */
export function LedgerRowTable({ rows }: { rows: LedgerRow[] }) {
  return (
    <Sheet label={label.rows} bounded>
      <thead>
        <tr>
          <th scope="col">{label.entry}</th>
          <th scope="col">{label.rowsRecorded}</th>
          <th scope="col">{label.rowsAccount}</th>
          <th scope="col">{label.rowsTestid}</th>
          <th scope="col">{label.entryWhere}</th>
          <th scope="col">{label.entryDigest}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.action} ${row.id}`}>
            <th scope="row" className={cell.text}>
              {row.description}
              {!row.authenticated && (
                <Text size="xs" c="var(--warn-text)" title={label.legacyHint}>
                  {label.legacy}
                </Text>
              )}
            </th>
            <td>
              <Moment at={row.recorded_at} />
            </td>
            <td>{row.account ?? <span title={label.noAccount}>{NONE}</span>}</td>
            <td>
              <code>{row.testid}</code>
            </td>
            <td>{row.id}</td>
            <td>{row.run_digest ? <Digest value={row.run_digest} /> : NONE}</td>
          </tr>
        ))}
      </tbody>
    </Sheet>
  );
}
