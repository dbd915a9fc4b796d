import { CloseButton } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { api } from "@/api/client";
import type { Run, RunComparison } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import { useTable } from "@/components/table/useTable";
import { words } from "@/words";
import classes from "./compare.module.css";
import { RunPicker } from "./RunPicker";
import type { Chosen } from "./useChosen";

const label = words.compare;

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
  const runs = useQueries({
    queries: chosen.runs.map((id) =>
      api.queryOptions("get", "/api/v1/runs/{run_id}", { params: { path: { run_id: id } } }),
    ),
  });
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
  const columns = columnsOf(chosen);
  const table = useTable("compared-runs", columns, { key: "runs" });
  return (
    <Panel title={label.runs}>
      <DataTable
        label={label.runs}
        columns={columns}
        rows={rows}
        table={table}
        keyOf={({ id }) => id}
        isShort
      />
      <RunPicker chosen={chosen} />
    </Panel>
  );
}

const nameOf = ({ run, id }: Row) => run?.name ?? id;

function said(id: string, heading: string, text: (row: Row) => string | undefined): Column<Row> {
  return { id, label: heading, cell: text, text: (row) => text(row) ?? "" };
}

function scored({ run }: Row): string {
  return run ? words.sweeps.of(formatCount(run.counts.scored), formatCount(run.counts.questions)) : "";
}

function columnsOf(chosen: Chosen): Column<Row>[] {
  return [
    {
      id: "run",
      label: label.run,
      cell: (row) => (
        <AnchorLink to="/runs/$id" params={{ id: row.id }} size="sm">
          {nameOf(row)}
        </AnchorLink>
      ),
      text: nameOf,
    },
    said("sweep", label.sweep, ({ sweep }) => sweep),
    said("model", words.runs.model, ({ run }) => run?.config.model.name),
    said("dataset", words.runs.dataset, ({ run }) => run?.config.dataset),
    { id: "n", label: label.n, isNumber: true, cell: scored, text: scored },
    {
      id: "baseline",
      label: label.baseline,
      cell: (row) => <Baseline row={row} onChoose={() => chosen.setBaseline(row.id)} />,
      text: ({ isBaseline }) => (isBaseline ? label.isBaseline : ""),
    },
    {
      id: "acts",
      label: words.shell.actions,
      cell: (row) => (
        <CloseButton size="sm" aria-label={label.remove(nameOf(row))} onClick={() => chosen.remove(row.id)} />
      ),
      text: () => "",
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
        aria-label={label.makeBaseline(nameOf(row))}
      />
      {row.isBaseline && <span>{label.isBaseline}</span>}
    </label>
  );
}
