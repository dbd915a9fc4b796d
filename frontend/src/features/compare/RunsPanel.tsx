import { useQueries } from "@tanstack/react-query";
import { runQueries } from "@/api/runs";
import type { Run, RunComparison } from "@/api/types";
import { Panel } from "@/components/Panel";
import { type Column, DataTable, plainColumn } from "@/components/table";
import { t } from "@/words";
import { ComparisonBar } from "./ComparisonBar";
import { RunPicker } from "./RunPicker";
import type { Chosen } from "./useChosen";

interface Props {
  chosen: Chosen;
  comparison: RunComparison | undefined;
}

/** A run that was chosen; what is known of it comes a moment later. */
interface Row {
  id: string;
  run: Run | undefined;
  sweep: string | undefined;
}

/** Which runs are compared, and with which. */
export function RunsPanel({ chosen, comparison }: Props) {
  const runs = useQueries({ queries: chosen.runs.map((id) => runQueries.detail(id)) });
  // What is chosen shows at once; without a choice the server says which it took.
  const baseline = chosen.baseline ?? comparison?.baseline;
  const rows = chosen.runs.map(
    (id, place): Row => ({
      id,
      run: runs[place]?.data,
      sweep: comparison?.sweep_names[comparison.runs.findIndex((other) => other.id === id)],
    }),
  );
  const inOrder = [...rows].sort((one, other) => Number(other.id === baseline) - Number(one.id === baseline));
  return (
    <Panel title={t("Runs")}>
      <ComparisonBar
        chosen={chosen}
        order={inOrder.map(({ id }) => id)}
        nameOf={(id) =>
          // Those that are compared have names of which no two are equal.
          (comparison?.runs ?? rows.map(({ run }) => run)).find((run) => run?.id === id)?.name ?? id
        }
      />
      <DataTable
        name="compared-runs"
        at="runs"
        label={t("Runs")}
        columns={shownColumns(inOrder, chosen.isDiffOnly)}
        rows={inOrder}
        keyOf={({ id }) => id}
        open={({ id }) => ({ to: "/runs/$id", params: { id } })}
        isShort
      />
      <RunPicker chosen={chosen} />
    </Panel>
  );
}

const COLUMNS: Column<Row>[] = [
  plainColumn("run", t("Run"), ({ run, id }) => run?.name ?? id),
  plainColumn("sweep", t("Sweep"), ({ sweep }) => sweep ?? ""),
  plainColumn("model", t("Model"), ({ run }) => run?.config.model.name ?? ""),
  plainColumn("dataset", t("Dataset"), ({ run }) => run?.config.dataset ?? ""),
  {
    id: "n",
    label: t("Scored"),
    value: ({ run }) =>
      run
        ? t("{done, number} of {total, number}", { done: run.counts.scored, total: run.counts.questions })
        : "",
    kind: "number",
  },
];

/** All columns, or the names and those in which the runs differ. */
function shownColumns(rows: Row[], isDiffOnly: boolean): Column<Row>[] {
  if (!isDiffOnly || rows.length < 2) return COLUMNS;
  return COLUMNS.filter(({ id, value }) => id === "run" || new Set(rows.map((row) => value(row))).size > 1);
}
