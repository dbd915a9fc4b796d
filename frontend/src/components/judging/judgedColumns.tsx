import type { AssessmentTable, JudgedCell } from "@/api/types";
import { MetricName } from "@/components/MetricName";
import { formatCount, formatInterval, formatScore } from "@/components/numbers/format";
import { type Column, countColumn, plainColumn, scoreColumn } from "@/components/table";
import { t } from "@/words";
import { reasonOf } from "@/words/reasons";

/** Of a judged column `not_requested` is an answer that the judge has not reached, or was not given. */
function unjudged(reason: string | undefined): string {
  return reason === "not_requested" ? t("Not judged.") : reasonOf(reason);
}

/** Mean, interval and missing values of each judged column; the configuration or dataset is named if there are several. */
export function judgedColumns(
  table: AssessmentTable,
  names?: ReadonlyMap<string, string>,
  label = t("Configuration"),
): Column<JudgedCell>[] {
  const found = new Map(table.columns.map((column) => [column.column, column]));
  const named: Column<JudgedCell>[] = names
    ? [plainColumn("name", label, ({ run_id }) => names.get(run_id) ?? run_id)]
    : [];
  return [
    ...named,
    plainColumn("metric", t("Metric"), ({ column }) => column, {
      cell: ({ column }) => <MetricName name={column} profile="judged" />,
    }),
    scoreColumn("mean", t("Mean"), ({ mean }) => mean, {
      reason: ({ judged, reasons }) =>
        judged > 0 ? t("Shown when the sweep is finished or cancelled.") : unjudged(Object.keys(reasons)[0]),
    }),
    plainColumn("interval", t("95 % interval"), formatInterval),
    countColumn("judged", t("Judged answers"), ({ judged }) => judged, {
      isExtra: "narrow",
      note: ({ judged, questions }) => judged < questions && t("of {count, number}", { count: questions }),
    }),
    {
      id: "missing",
      label: t("Without a value"),
      kind: "text",
      value: ({ reasons }) =>
        Object.entries(reasons)
          .map(([reason, count]) => `${unjudged(reason)} (${formatCount(count)})`)
          .join(" "),
      isExtra: "narrow",
    },
    {
      id: "labels",
      label: t("Calibration"),
      value: ({ column }) => {
        const count = found.get(column)?.labels ?? 0;
        return count > 0
          ? t("{count, plural, one {# rating} other {# ratings}}", { count })
          : t("uncalibrated");
      },
      title: t(
        "Number of answers that people have rated in this column, and Spearman’s ρ between judge and people.",
      ),
      note: ({ column }) => {
        const rho = found.get(column)?.rho;
        return rho == null ? undefined : t("ρ {rho}", { rho: formatScore(rho, 2) });
      },
    },
  ];
}
