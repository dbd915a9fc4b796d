import type { Run, TimingReport } from "@/api/types";
import { More } from "@/components/More";
import { formatBytes } from "@/components/numbers/format";
import { FIGURES, type FigureName, formatOf } from "@/components/results/timings";
import { bytesColumn, type Column, countColumn, DataTable, plainColumn } from "@/components/table";
import { t } from "@/words";

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
  bytesColumn("passer_memory", t("Memory of PaSSER"), ({ memory }) => memory?.passer_bytes, {
    title: t("Largest resident memory of the PaSSER process during the run"),
    reason: t("Not measured."),
  }),
  bytesColumn("model_memory", t("Memory of the model"), ({ memory }) => memory?.model?.total_bytes, {
    title: t("Memory of the model in its server at the end of the run"),
    reason: t("Not reported by the model server."),
    note: ({ memory }) => {
      const onGpu = memory?.model?.gpu_bytes;
      return onGpu != null && onGpu > 0 && t("{size} on graphics processors", { size: formatBytes(onGpu) });
    },
  }),
];

/** Configuration by configuration: how many questions were measured, and each figure's median with its quartiles. */
export function TimingTable({ report }: { report: TimingReport }) {
  const several = new Set(report.configurations.map(({ model }) => model)).size > 1;
  const columns: Column<Timed>[] = [
    plainColumn("configuration", t("Configuration"), ({ name }) => name, {
      note: ({ model }) => several && model,
    }),
    ...figuresOf(report).map(spreadColumn),
    ...MEMORY.filter(({ value }) => report.configurations.some((row) => value(row) != null)),
    ...COUNTS.map((name): Column<Timed> => {
      const [label, title] = TIMING_COUNTS[name];
      return countColumn(name, label, (row) => row[name], { title });
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
  return plainColumn(name, label, ({ figures }) => figures[name]?.median, {
    title,
    reason: t("Not measured."),
    format,
    note: ({ figures }) => {
      const spread = figures[name];
      return spread && t("{low} to {high}", { low: format(spread.q1), high: format(spread.q3) });
    },
  });
}

/** The questions that loaded their model, and what they took; folded away. */
export function WarmUpTable({ report, runs }: { report: TimingReport; runs: Run[] }) {
  const marked = report.questions.filter((question) => question.is_warm_up);
  if (marked.length === 0) return null;
  const names = new Map(runs.map(({ id, name }) => [id, name]));
  const title = t("Warm-up questions ({count, number})", { count: marked.length });
  const columns: Column<Marked>[] = [
    plainColumn("question", t("Question"), ({ question_id }) => question_id),
    plainColumn("configuration", t("Configuration"), ({ run_id }) => names.get(run_id)),
    ...OF_WARM_UP.map(([name, value]): Column<Marked> => {
      const [label, long] = FIGURES[name];
      const reason = t("Not measured or not reported.");
      return plainColumn(name, label, value, { title: long, reason, format: formatOf(name) });
    }),
  ];
  return (
    <More title={title}>
      <DataTable
        name="warm-up"
        label={title}
        columns={columns}
        rows={marked}
        keyOf={({ run_id, question_id }) => `${run_id} ${question_id}`}
        isShort
      />
    </More>
  );
}

type TimedQuestion = TimingReport["questions"][number];

const NS = 1e-9;
const seconds = (nanoseconds: number | null | undefined) => (nanoseconds == null ? null : nanoseconds * NS);

/** The figures that some configuration has, in the order in which they are shown. */
function figuresOf({ configurations }: TimingReport): FigureName[] {
  const names = Object.keys(FIGURES) as FigureName[];
  return names.filter((name) => configurations.some(({ figures }) => figures[name]));
}

/** What a question that is no part of a median took, by figure; null where nothing says. */
const OF_WARM_UP: [FigureName, (question: TimedQuestion) => number | null][] = [
  ["load_s", ({ model }) => seconds(model.load_duration_ns)],
  ["total_s", ({ model }) => seconds(model.total_duration_ns)],
  ["generation_s", ({ generation_s }) => generation_s],
];
