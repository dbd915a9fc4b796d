import type { Run, TimingReport } from "@/api/types";
import { formatBytes, formatCount } from "@/components/numbers/format";
import { FIGURES, type FigureName, formatOf } from "@/components/results/timings";
import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import { t } from "@/words";
import classes from "./Basis.module.css";
import { figuresOf, OF_WARM_UP } from "./timingFigures";

const TIMING_COUNTS = {
  measured: [t("Measured"), t("Questions included in the medians, counting each repetition")],
  warm_up: [t("Warm-up"), t("Excluded from the medians because the model was loading")],
  reused: [t("Shared"), t("Excluded because the answer was reused")],
  failed: [t("Failed"), t("Excluded because there was no answer")],
} as const;
const COUNTS = ["measured", "warm_up", "reused", "failed"] as const;

type Timed = TimingReport["configurations"][number];
type Marked = TimingReport["questions"][number];

const MEMORY: Column<Timed>[] = [
  {
    id: "passer_memory",
    label: t("Memory of PaSSER"),
    title: t("Largest resident memory of the PaSSER process during the run"),
    value: ({ memory }) => memory?.passer_bytes,
    reason: t("Not measured."),
    format: formatBytes,
  },
  {
    id: "model_memory",
    label: t("Memory of the model"),
    title: t("Memory of the model in its server at the end of the run"),
    value: ({ memory }) => memory?.model?.total_bytes,
    reason: t("Not reported by the model server."),
    format: formatBytes,
    note: ({ memory }) => {
      const onGpu = memory?.model?.gpu_bytes;
      return onGpu != null && onGpu > 0 && t("{size} on graphics processors", { size: formatBytes(onGpu) });
    },
  },
];

/** Configuration by configuration: how many questions were measured, and each figure's median with its quartiles. */
export function TimingTable({ report }: { report: TimingReport }) {
  const several = new Set(report.configurations.map(({ model }) => model)).size > 1;
  const columns: Column<Timed>[] = [
    {
      id: "configuration",
      label: t("Configuration"),
      value: ({ name }) => name,
      note: ({ model }) => several && model,
    },
    ...figuresOf(report).map(spreadColumn),
    ...MEMORY.filter(({ value }) => report.configurations.some((row) => value(row) != null)),
    ...COUNTS.map((name): Column<Timed> => {
      const [label, title] = TIMING_COUNTS[name];
      return { id: name, label, title, value: (row) => row[name], format: formatCount };
    }),
  ];
  return (
    <DataTable
      name="sweep-timings"
      label={t("Timings")}
      columns={columns}
      rows={report.configurations}
      keyOf={idOf}
      open={(row) => ({ to: "/runs/$id", params: { id: idOf(row) } })}
      isShort
    />
  );
}

function idOf({ run_ids }: Timed): string {
  return run_ids[0] ?? "";
}

function spreadColumn(name: FigureName): Column<Timed> {
  const [label, title] = FIGURES[name];
  const format = formatOf(name);
  return {
    id: name,
    label,
    title,
    value: ({ figures }) => figures[name]?.median,
    reason: t("Not measured."),
    format,
    note: ({ figures }) => {
      const spread = figures[name];
      return spread && t("{low} to {high}", { low: format(spread.q1), high: format(spread.q3) });
    },
  };
}

/** The questions that loaded their model, and what they took; folded away. */
export function WarmUpTable({ report, runs }: { report: TimingReport; runs: Run[] }) {
  const marked = report.questions.filter((question) => question.is_warm_up);
  if (marked.length === 0) return null;
  const names = new Map(runs.map(({ id, name }) => [id, name]));
  const title = t("Warm-up questions ({count, number})", { count: marked.length });
  const columns: Column<Marked>[] = [
    { id: "question", label: t("Question"), value: ({ question_id }) => question_id },
    { id: "configuration", label: t("Configuration"), value: ({ run_id }) => names.get(run_id) },
    ...OF_WARM_UP.map(([name, value]): Column<Marked> => {
      const [label, long] = FIGURES[name];
      const reason = t("Not measured or not reported.");
      return { id: name, label, title: long, value, reason, format: formatOf(name) };
    }),
  ];
  return (
    <details className={classes.more}>
      <summary>{title}</summary>
      <DataTable
        name="warm-up"
        label={title}
        columns={columns}
        rows={marked}
        keyOf={({ run_id, question_id }) => `${run_id} ${question_id}`}
        isShort
      />
    </details>
  );
}
