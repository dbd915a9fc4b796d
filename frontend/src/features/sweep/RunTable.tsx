import { Progress } from "@mantine/core";
import type { Run } from "@/api/types";
import { StateBadge } from "@/components/StateBadge";
import { type Column, countColumn, DataTable, plainColumn } from "@/components/table";
import { t } from "@/words";
import { STATES } from "@/words/states";

const COLUMNS: Column<Run>[] = [
  plainColumn("configuration", t("Configuration"), ({ name }) => name, {
    note: ({ is_baseline }) => is_baseline && t("baseline"),
  }),
  plainColumn("state", t("State"), ({ state }) => STATES[state], {
    cell: ({ state, counts }) => <StateBadge state={state} failures={counts.failed} />,
  }),
  plainColumn("progress", t("Progress"), ({ counts }) => counts.scored, {
    cell: ({ counts }) => <Advance {...counts} />,
  }),
  countColumn("failed", t("Failed"), ({ counts }) => counts.failed),
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
