import { CloseButton } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { runQueries } from "@/api/runs";
import type { Run, RunComparison } from "@/api/types";
import { Panel } from "@/components/Panel";
import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import { t } from "@/words";
import classes from "./compare.module.css";
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
  isBaseline: boolean;
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
      isBaseline: id === baseline,
    }),
  );
  return (
    <Panel title={t("Runs")}>
      <DataTable
        name="compared-runs"
        at="runs"
        label={t("Runs")}
        columns={columnsOf(chosen)}
        rows={rows}
        keyOf={({ id }) => id}
        open={({ id }) => ({ to: "/runs/$id", params: { id } })}
        isShort
      />
      <RunPicker chosen={chosen} />
    </Panel>
  );
}

const nameOf = ({ run, id }: Row) => run?.name ?? id;

function columnsOf(chosen: Chosen): Column<Row>[] {
  return [
    { id: "run", label: t("Run"), value: nameOf },
    { id: "sweep", label: t("Sweep"), value: ({ sweep }) => sweep ?? "" },
    { id: "model", label: t("Model"), value: ({ run }) => run?.config.model.name ?? "" },
    { id: "dataset", label: t("Dataset"), value: ({ run }) => run?.config.dataset ?? "" },
    {
      id: "n",
      label: t("Scored"),
      kind: "number",
      value: ({ run }) =>
        run
          ? t("{done, number} of {total, number}", { done: run.counts.scored, total: run.counts.questions })
          : "",
    },
    {
      id: "baseline",
      label: t("Baseline"),
      sort: "none",
      value: ({ isBaseline }) => (isBaseline ? t("reference for the comparison") : ""),
      cell: (row) => <Baseline row={row} onChoose={() => chosen.setBaseline(row.id)} />,
    },
    {
      id: "acts",
      label: t("Actions"),
      sort: "none",
      value: () => "",
      cell: (row) => (
        <CloseButton
          size="sm"
          aria-label={t("Remove {name}", { name: nameOf(row) })}
          onClick={() => chosen.remove(row.id)}
        />
      ),
    },
  ];
}

function Baseline({ row, onChoose }: { row: Row; onChoose: () => void }) {
  return (
    <label className={classes.choice}>
      <input
        type="radio"
        name="baseline"
        checked={row.isBaseline}
        onChange={onChoose}
        aria-label={t("Use {name} as baseline", { name: nameOf(row) })}
      />
      {row.isBaseline && <span>{t("reference for the comparison")}</span>}
    </label>
  );
}
