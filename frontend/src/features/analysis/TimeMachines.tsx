import { Text } from "@mantine/core";
import type { TimingReport } from "@/api/types";
import { Note } from "@/components/Note";
import { formatBytes, formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { isSameMachine } from "@/components/results/timings";
import { type Column, DataTable, plainColumn, textColumn } from "@/components/table";
import { t } from "@/words";

const PART_NAMES = {
  database: t("database"),
  chroma: t("vector store (Chroma)"),
  engine: t("engine"),
  concurrency: t("concurrent questions"),
  scoring_processes: t("scoring processes"),
  ollama: t("model server (Ollama)"),
  openai: t("model server (OpenAI)"),
} as Record<string, string>;
const PART_VALUES = { embedded: t("embedded"), local: t("this process") } as Record<string, string>;

interface Props {
  here: TimingReport;
  there: TimingReport;
}

interface Fact {
  name: string;
  of: (report: TimingReport) => string | null | undefined;
}

const UNKNOWN = t("Not reported by the system.");
const known = (value: number | null | undefined, format: (value: number) => string) =>
  value == null ? null : format(value);

const FACTS: Fact[] = [
  { name: t("Processor"), of: ({ machine }) => machine.processor ?? machine.architecture },
  { name: t("CPUs"), of: ({ machine }) => known(machine.cpu_count, formatCount) },
  { name: t("Memory"), of: ({ machine }) => known(machine.memory_bytes, formatBytes) },
  { name: t("System"), of: ({ machine }) => machine.system },
  { name: t("Python version"), of: ({ software }) => software.python },
  {
    name: t("Components in use"),
    of: ({ parts }) =>
      Object.entries(parts)
        .map(([name, value]) => `${PART_NAMES[name] ?? name}: ${PART_VALUES[value] ?? value}`)
        .join("; "),
  },
  { name: t("Warm-up"), of: ({ warm_up }) => formatCount(warm_up) },
];

function columnsOf(here: TimingReport, there: TimingReport): Column<Fact>[] {
  const side = (id: string, label: string, report: TimingReport): Column<Fact> =>
    textColumn(id, `${label}: ${report.name}`, ({ of }) => of(report), { sort: "none", reason: UNKNOWN });
  return [
    plainColumn("machine", t("Machine"), ({ name }) => name, { sort: "none" }),
    side("here", t("This sweep"), here),
    side("there", t("Other sweep"), there),
  ];
}

/** What is known of both machines, side by side. */
export function TimeMachines({ here, there }: Props) {
  const loaded = [here, there].filter(({ is_timing_run }) => !is_timing_run);
  return (
    <Panel title={t("Machines")}>
      {loaded.map(({ sweep_id, name }) => (
        <Note key={sweep_id} tone="warn">
          {t(
            "{name} was not a timing run. Its times were measured under load, with many concurrent questions.",
            { name },
          )}
        </Note>
      ))}
      {isSameMachine(here, there) && <Text size="sm">{t("Both sweeps ran on the same machine.")}</Text>}
      <DataTable
        name="machines"
        label={t("Machines")}
        columns={columnsOf(here, there)}
        rows={FACTS}
        keyOf={({ name }) => name}
        isShort
      />
    </Panel>
  );
}
