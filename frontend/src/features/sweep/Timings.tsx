import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { timingQueries } from "@/api/timings";
import type { SweepDetail, TimingReport } from "@/api/types";
import { Facts } from "@/components/Facts";
import { ButtonLink, FileLink } from "@/components/links";
import { formatBytes, formatCount } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import { TimingTable, WarmUpTable } from "./TimingTable";

const FORMATS = ["csv", "xlsx", "jsonl"] as const;

/** What a timing run measured, on which machine; nothing for a sweep that was none or is not finished. */
export function Timings({ sweep }: { sweep: SweepDetail }) {
  const isTimed = sweep.sweep.timing != null && sweep.state === "finished";
  const query = useQuery({ ...timingQueries.of(sweep.id), enabled: isTimed });
  if (!isTimed) return null;
  if (!query.data) return <QueryState query={query} height={200} />;
  const report = query.data;
  const isMeasured = report.configurations.some(({ measured }) => measured > 0);
  return (
    <Panel title={t("Timings")} beside={<Exports id={sweep.id} />}>
      <Text size="sm">
        {t(
          "Timing run: one question at a time, no reused answers. {warmUp, plural, =0 {No warm-up questions.} one {The first question of each model is warm-up and excluded.} other {The first # questions of each model are warm-up and excluded.}} The table shows medians with the interquartile range below.",
          { warmUp: report.warm_up },
        )}
      </Text>
      {isMeasured ? (
        <TimingTable report={report} />
      ) : (
        <Text>{t("No times were measured in this sweep.")}</Text>
      )}
      <Machine machine={report.machine} />
      <Group>
        <ButtonLink to="/analysis/times" search={{ here: sweep.id }} variant="default" size="xs">
          {t("Compare times")}
        </ButtonLink>
      </Group>
      <WarmUpTable report={report} runs={sweep.runs} />
    </Panel>
  );
}

function Machine({ machine }: { machine: TimingReport["machine"] }) {
  const number = (value: number | null | undefined, format: (value: number) => string) => (
    <Num value={value} reason={t("Not reported by the system.")} format={format} />
  );
  return (
    <Stack gap={4}>
      <Text fw={600} size="sm">
        {t("Machine")}
      </Text>
      <Facts
        facts={[
          [t("Processor"), machine.processor ?? machine.architecture],
          [t("CPUs"), number(machine.cpu_count, formatCount)],
          [t("Memory"), number(machine.memory_bytes, formatBytes)],
          [t("System"), machine.system],
        ]}
      />
    </Stack>
  );
}

/** Every question with its times, as a file. */
function Exports({ id }: { id: string }) {
  return (
    <Group gap={8}>
      <Quiet>{t("All questions")}</Quiet>
      {FORMATS.map((format) => (
        <FileLink
          key={format}
          address={`/api/v1/sweeps/${encodeURIComponent(id)}/timings/export?format=${format}`}
          aria-label={t("Timings of all questions as {format}", { format: format.toUpperCase() })}
        >
          {format.toUpperCase()}
        </FileLink>
      ))}
    </Group>
  );
}
