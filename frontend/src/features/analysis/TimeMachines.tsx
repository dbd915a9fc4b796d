import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { TimingReport } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { Note } from "@/components/Note";
import { formatBytes, formatCount } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { Panel } from "@/components/Panel";
import { isSameMachine } from "@/components/results/timings";
import { cell, Sheet } from "@/components/Sheet";
import { words } from "@/words";

const label = words.analysis.times;

interface Props {
  here: TimingReport;
  there: TimingReport;
}

type Fact = [name: string, of: (report: TimingReport) => ReactNode];

const known = (value: number | null | undefined, format: (value: number) => string) => (
  <Num value={value} reason={label.unknown} format={format} />
);

const FACTS: Fact[] = [
  [label.processor, ({ machine }) => machine.processor ?? machine.architecture],
  [label.cpus, ({ machine }) => known(machine.cpu_count, formatCount)],
  [label.memory, ({ machine }) => known(machine.memory_bytes, formatBytes)],
  [label.system, ({ machine }) => machine.system],
  [label.python, ({ software }) => software.python ?? label.unknown],
  [
    label.parts,
    ({ parts }) =>
      Object.entries(parts).map(([name, value]) => (
        <Text key={name} size="sm">
          {label.partNames[name] ?? name}: {label.partValues[value] ?? value}
        </Text>
      )),
  ],
  [label.warmUp, ({ warm_up }) => formatCount(warm_up)],
];

/** What is known of both machines, side by side. */
export function TimeMachines({ here, there }: Props) {
  const loaded = [here, there].filter(({ is_timing_run }) => !is_timing_run);
  return (
    <Panel title={label.machines}>
      {loaded.map(({ sweep_id, name }) => (
        <Note key={sweep_id} tone="warn">
          {label.underLoad(name)}
        </Note>
      ))}
      {isSameMachine(here, there) && <Text size="sm">{label.sameMachine}</Text>}
      <Sheet label={label.machines}>
        <thead>
          <tr>
            <th scope="col">{label.machine}</th>
            <th scope="col">
              {label.medianHere}:{" "}
              <AnchorLink to="/sweeps/$id" params={{ id: here.sweep_id }} size="sm">
                {here.name}
              </AnchorLink>
            </th>
            <th scope="col">
              {label.medianThere}: {there.name}
            </th>
          </tr>
        </thead>
        <tbody>
          {FACTS.map(([name, of]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className={cell.text}>{of(here)}</td>
              <td className={cell.text}>{of(there)}</td>
            </tr>
          ))}
        </tbody>
      </Sheet>
    </Panel>
  );
}
