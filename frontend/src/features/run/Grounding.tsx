import { useQuery } from "@tanstack/react-query";
import { runQueries } from "@/api/runs";
import type { Run } from "@/api/types";
import { GroundingLimits, GroundingNote, useGroundingLimits } from "@/components/grounding/GroundingLimits";
import { type GroundedRow, groundingColumns } from "@/components/grounding/groundingColumns";
import { Panel } from "@/components/Panel";
import { DataTable } from "@/components/table";
import { t } from "@/words";

/** Citations and grounding of the run's answers, by shared keywords. */
export function Grounding({ run }: { run: Run }) {
  const { settled, ...fields } = useGroundingLimits();
  const { data } = useQuery(runQueries.grounding(run.id, settled));
  const found = data?.runs[0];
  if (!found || found.n === 0) return null;
  const rows = found.columns.map(
    (column): GroundedRow => ({
      key: column.name,
      run: found.run_id,
      name: found.name,
      column,
    }),
  );
  return (
    <Panel title={t("Citations and grounding")}>
      <GroundingLimits {...fields} />
      <DataTable
        name="grounding"
        label={t("Citations and grounding")}
        columns={groundingColumns(false, data?.limits ?? settled)}
        rows={rows}
        keyOf={({ key }) => key}
      />
      <GroundingNote />
    </Panel>
  );
}
