import { Progress } from "@mantine/core";
import type { Run } from "@/api/types";
import { formatCount } from "@/components/numbers/format";
import { StateBadge } from "@/components/StateBadge";
import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import { t } from "@/words";
import { STATES } from "@/words/states";

const COLUMNS: Column<Run>[] = [
  {
    id: "configuration",
    label: t("Configuration"),
    value: ({ name }) => name,
    note: ({ is_baseline }) => is_baseline && t("baseline"),
  },
  {
    id: "state",
    label: t("State"),
    value: ({ state }) => STATES[state],
    cell: ({ state, counts }) => <StateBadge state={state} failures={counts.failed} />,
  },
  {
    id: "progress",
    label: t("Progress"),
    value: ({ counts }) => counts.scored,
    cell: ({ counts }) => <Advance {...counts} />,
  },
  { id: "failed", label: t("Failed"), value: ({ counts }) => counts.failed, format: formatCount },
];

/** The configurations while they run. */
export function RunTable({ runs }: { runs: Run[] }) {
  return (
    <DataTable
      name="sweep-runs"
      label={t("Configurations")}
      columns={COLUMNS}
      rows={runs}
      keyOf={({ id }) => id}
      open={({ id }) => ({ to: "/runs/$id", params: { id } })}
      isShort
    />
  );
}

function Advance({ questions, scored, failed }: Run["counts"]) {
  const values = { done: scored, total: questions };
  return (
    <>
      {t("{done, number} of {total, number}", values)}
      <Progress
        size="xs"
        mt={4}
        value={questions > 0 ? (100 * (scored + failed)) / questions : 0}
        aria-label={t(
          "{done, number} of {total, plural, one {# evaluation} other {# evaluations}} scored",
          values,
        )}
      />
    </>
  );
}
