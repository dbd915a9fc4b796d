import { Anchor, Group, Stack, Text } from "@mantine/core";
import { api } from "@/api/client";
import type { SweepDetail, TimingReport } from "@/api/types";
import { Facts } from "@/components/Facts";
import { ButtonLink } from "@/components/links";
import { formatBytes, formatCount } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { TimingTable, WarmUpTable } from "./TimingTable";

const label = words.sweep;
const FORMATS = ["csv", "xlsx", "jsonl"] as const;

/** What a timing run measured, on which machine; nothing for a sweep that was none or is not finished. */
export function Timings({ sweep }: { sweep: SweepDetail }) {
  const isTimed = sweep.sweep.timing != null && sweep.state === "finished";
  const query = api.useQuery(
    "get",
    "/api/v1/sweeps/{sweep_id}/timings",
    { params: { path: { sweep_id: sweep.id } } },
    { enabled: isTimed },
  );
  if (!isTimed) return null;
  if (query.isPending) return <Waiting height={200} />;
  if (!query.data) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  const report = query.data;
  const isMeasured = report.configurations.some(({ measured }) => measured > 0);
  return (
    <Panel title={label.timings} beside={<Exports id={sweep.id} />}>
      <Text size="sm">{label.timingLead(formatCount(report.warm_up))}</Text>
      {isMeasured ? <TimingTable report={report} /> : <Text>{label.timingNone}</Text>}
      <Machine machine={report.machine} />
      <Group>
        <ButtonLink to="/analysis/times" search={{ here: sweep.id }} variant="default" size="xs">
          {words.analysis.toTimes}
        </ButtonLink>
      </Group>
      <WarmUpTable report={report} runs={sweep.runs} />
    </Panel>
  );
}

function Machine({ machine }: { machine: TimingReport["machine"] }) {
  const fact = label.machineFacts;
  const number = (value: number | null | undefined, format: (value: number) => string) => (
    <Num value={value} reason={label.machineUnknown} format={format} />
  );
  return (
    <Stack gap={4}>
      <Text fw={600} size="sm">
        {label.machine}
      </Text>
      <Facts
        facts={[
          [fact.processor, machine.processor ?? machine.architecture],
          [fact.cpus, number(machine.cpu_count, formatCount)],
          [fact.memory, number(machine.memory_bytes, formatBytes)],
          [fact.system, machine.system],
        ]}
      />
    </Stack>
  );
}

/** Every question with its times, as a file. */
function Exports({ id }: { id: string }) {
  return (
    <Group gap={8}>
      <Text size="sm" c="var(--quiet)">
        {label.timingExport}
      </Text>
      {FORMATS.map((format) => (
        <Anchor
          key={format}
          size="sm"
          href={`/api/v1/sweeps/${encodeURIComponent(id)}/timings/export?format=${format}`}
          download
          aria-label={label.timingExportName(format.toUpperCase())}
        >
          {format.toUpperCase()}
        </Anchor>
      ))}
    </Group>
  );
}
