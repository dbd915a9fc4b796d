import { useQuery } from "@tanstack/react-query";
import { sweepQueries } from "@/api/sweeps";
import { GroundingLimits, GroundingNote, useGroundingLimits } from "@/components/grounding/GroundingLimits";
import { type GroundedRow, groundingColumns } from "@/components/grounding/groundingColumns";
import { DataTable } from "@/components/table";
import { t } from "@/words";
import { Part } from "./Part";

/** Citations and grounding of each configuration, by shared keywords; measures without any value are left out. */
export function Grounding({ id }: { id: string }) {
  const { settled, ...fields } = useGroundingLimits();
  const { data } = useQuery(sweepQueries.grounding(id, settled));
  const rows = (data?.runs ?? []).flatMap(({ run_id, name, columns }) =>
    columns
      .filter(({ n }) => n > 0)
      .map((column): GroundedRow => ({ key: `${run_id} ${column.name}`, run: run_id, name, column })),
  );
  if (rows.length === 0) return null;
  return (
    <Part
      id="grounding"
      title={t("Citations and grounding")}
      about={t("How much of the answers the passages support, by shared keywords")}
    >
      <GroundingLimits {...fields} />
      <DataTable
        name="grounding"
        at="grounding"
        label={t("Citations and grounding")}
        columns={groundingColumns(true, data?.limits ?? settled)}
        rows={rows}
        keyOf={({ key }) => key}
        open={({ run }) => ({ to: "/runs/$id", params: { id: run } })}
      />
      <GroundingNote />
    </Part>
  );
}
