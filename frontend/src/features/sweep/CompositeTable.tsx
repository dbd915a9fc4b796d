import type { SweepAnalysis } from "@/api/types";
import { foundIn } from "@/components/results/behind";
import { behindSweep } from "@/components/results/behindOf";
import { DataTable, plainColumn } from "@/components/table";
import { unbroken } from "@/components/unbroken";
import { sharedRange } from "@/figures/IntervalMark";
import { t } from "@/words";
import classes from "./CompositeTable.module.css";
import { columnsOf, intervalOf, type Row } from "./columns";

/** Every configuration beside its baseline; a row opens its run, a gain the questions that changed most. */
export function CompositeTable({ analysis }: { analysis: SweepAnalysis }) {
  const { configurations, verdict } = analysis;
  const range = sharedRange(configurations.map(intervalOf));
  const recommended = new Set(verdict.conclusions.map(({ name }) => name));
  const behind = behindSweep(configurations);
  const several = new Set(configurations.map(({ model }) => model)).size > 1;
  // Models without token counts, such as the built-in reader, have nothing to show there.
  const counted = configurations.some(({ latency }) => latency?.mean_prompt_tokens != null);
  const columns = columnsOf(range, analysis.rule, (row) => foundIn(behind, row));
  return (
    <DataTable
      name="configurations"
      at="results"
      label={t("Results")}
      columns={[
        plainColumn<Row>("configuration", t("Configuration"), ({ name }) => name, {
          cell: (row) => <Name row={row} isRecommended={recommended.has(row.name)} />,
          note: ({ model }) => several && model,
        }),
        ...columns.filter(({ id }) => id !== "tokens" || counted),
      ]}
      rows={configurations}
      keyOf={({ run_ids }) => run_ids[0] ?? ""}
      open={({ run_ids }) => ({ to: "/runs/$id", params: { id: run_ids[0] ?? "" } })}
      isMarked={({ name }) => recommended.has(name)}
      isShort
    />
  );
}

function Name({ row, isRecommended }: { row: Row; isRecommended: boolean }) {
  return (
    <>
      {unbroken(row.name)}
      {row.is_baseline && <span className={classes.tag}>{t("baseline")}</span>}
      {isRecommended && <span className={classes.tag}>{t("recommended")}</span>}
    </>
  );
}
